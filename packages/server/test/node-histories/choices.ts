import fc from 'fast-check';
import type { ProcessName } from './cluster.ts';

/** Number of accounts that play in a schedule. */
export const playerCount = 4;
export const boards = ['points', 'coins'] as const;

const pick = fc.nat({ max: 1_000 });
const player = fc.integer({ min: 0, max: playerCount - 1 });
const score = fc.record({
  is: fc.constant('score' as const),
  player,
  board: fc.constantFrom(...boards),
  value: fc.integer({ min: 0, max: 9 }),
});

const deed = fc.oneof(
  { weight: 3, arbitrary: fc.record({ is: fc.constant('publish' as const), pick }) },
  { weight: 3, arbitrary: fc.record({ is: fc.constant('rollback' as const), pick }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('move' as const) }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('claim' as const) }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('delete' as const) }) },
  { weight: 6, arbitrary: score },
  { weight: 2, arbitrary: fc.record({ is: fc.constant('unlock' as const), player }) },
  { weight: 4, arbitrary: fc.record({ is: fc.constant('save' as const), pick }) },
  { weight: 2, arbitrary: fc.record({ is: fc.constant('room' as const), pick }) },
  { weight: 2, arbitrary: fc.record({ is: fc.constant('ban' as const), player }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('reset' as const), player }) },
);
export type Deed = typeof deed extends fc.Arbitrary<infer D> ? D : never;

const anyProcess = fc.constantFrom<ProcessName>('left', 'right', 'worker');
const moment = fc.integer({ min: 100, max: 2_500 });
const fault = fc.oneof(
  { weight: 3, arbitrary: fc.record({ is: fc.constant('kill' as const), process: anyProcess }) },
  { weight: 2, arbitrary: fc.record({ is: fc.constant('restart' as const), process: anyProcess }) },
  { weight: 2, arbitrary: fc.record({ is: fc.constant('freeze database' as const), milliseconds: moment }) },
  { weight: 2, arbitrary: fc.record({ is: fc.constant('freeze store' as const), milliseconds: moment }) },
  { weight: 2, arbitrary: fc.record({ is: fc.constant('cut listening' as const) }) },
);
export type Fault = typeof fault extends fc.Arbitrary<infer F> ? F : never;

/** Schedules that are played at once on the same nodes, with the faults of the nodes. */
export interface Round {
  readonly schedules: readonly (readonly Deed[])[];
  /** Each fault begins when this fraction of all actions is done. */
  readonly faults: readonly { readonly after: number; readonly fault: Fault }[];
}

/** Returns a round; always the same for one seed. */
export function roundOf(seed: number, atOnce: number): Round {
  const schedule = fc.array(deed, { minLength: 6, maxLength: 14 });
  const round = fc.record({
    schedules: fc.array(schedule, { minLength: atOnce, maxLength: atOnce }),
    faults: fc.array(fc.record({ after: fc.double({ min: 0, max: 0.9, noNaN: true }), fault }), {
      minLength: 1,
      maxLength: 3,
    }),
  });
  const [made] = fc.sample(round, { seed, numRuns: 1 });
  if (!made) throw new Error('no round was made');
  return { ...made, faults: [...made.faults].sort((a, b) => a.after - b.after) };
}
