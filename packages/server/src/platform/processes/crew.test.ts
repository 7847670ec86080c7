import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TestClock } from '../../../test/clock.ts';
import { createLog } from '../log.ts';
import { Crew } from './crew.ts';
import { channelPair } from './testing-channel.fixture.ts';
import type { OwnParts } from './together.ts';
import { joinServer, type WorkerSide } from './worker-side.ts';

interface Started {
  readonly number: number;
  readonly side: Promise<WorkerSide>;
  /** Makes it hear nothing more, and answer nothing. */
  freeze(): void;
  end(code: number | null): void;
}

/** A crew whose workers are in this process, and begin and end as the test says. */
function crewOf(processes: number, lookMs?: number) {
  const started: Started[] = [];
  /** How many of the next workers the system does not start. */
  const noRoom = { times: 0 };
  const changed = new Set<() => void>();
  const crew = new Crew({
    processes,
    ...(lookMs !== undefined && { lookMs }),
    runsJobs: true,
    clock: new TestClock(),
    log: createLog({ LOG_LEVEL: 'silent' }),
    fork(number) {
      if (noRoom.times > 0) {
        noRoom.times--;
        throw Object.assign(new Error('spawn ENOMEM'), { code: 'ENOMEM' });
      }
      const [here, there] = channelPair();
      const ended = Promise.withResolvers<{ code: number | null; signal: string | null }>();
      const end = (code: number | null) => ended.resolve({ code, signal: code === null ? 'SIGKILL' : null });
      let isFrozen = false;
      const freeze = () => {
        isFrozen = true;
      };
      started.push({ number, side: joinServer(there, () => end(0)), freeze, end });
      for (const look of changed) look();
      return {
        id: String(started.length),
        pid: undefined,
        channel: { ...here, send: (message) => isFrozen || here.send(message) },
        ended: ended.promise,
        kill: () => end(null),
      };
    },
  });
  const numberOf = async (count: number): Promise<Started> => {
    for (;;) {
      const found = started[count - 1];
      if (found) return found;
      await new Promise<void>((resolve) => changed.add(resolve));
    }
  };
  /** Makes the nth started worker report that it is ready. */
  const ready = async (count: number): Promise<WorkerSide> => {
    const side = await (await numberOf(count)).side;
    await side.ready();
    return side;
  };
  return { crew, started, numberOf, ready, noRoom };
}

const parts: OwnParts = {
  figures: async () => [],
  hear: () => {},
  browser: () => null,
  canTakePictures: async () => true,
};

const counter = (value: number) => [
  { name: 'n', help: 'n', type: 'counter', aggregator: 'sum', values: [{ value, labels: {} }] },
  { name: 'g', help: 'g', type: 'gauge', aggregator: 'sum', values: [{ value, labels: {} }] },
];

/** The sum of a figure over all processes. */
async function sumOf({ together }: WorkerSide, name: string): Promise<number | undefined> {
  const { sumOfFigures } = await import('./figures.ts');
  const text = await sumOfFigures(await together.figures()).getSingleMetricAsString(name);
  return Number(/^\w+ (\d+)$/mu.exec(text)?.[1]);
}

describe('the workers of a server', () => {
  it('start one first, then the others; the server is ready when all are', async () => {
    const { crew, started, ready } = crewOf(3);
    const isStarted = crew.start();
    const first = await ready(1);
    assert.deepEqual([first.place.runsJobs, await first.together.stage()], [true, 'starting']);
    await ready(2);
    const last = await ready(3);
    await isStarted;
    assert.deepEqual([last.place.runsJobs, await last.together.stage()], [false, 'ready']);
    assert.deepEqual(
      started.map(({ number }) => number),
      [1, 2, 3],
    );
    assert.equal(await crew.end(0), 0);
  });

  it('are given up when one ends before the server is ready', async () => {
    const { crew, started, ready, numberOf } = crewOf(2);
    const isStarted = crew.start();
    await ready(1);
    (await numberOf(2)).end(1);
    await isStarted;
    assert.equal(await crew.ended, 1);
    assert.equal(started.length, 2);
  });

  it('are replaced as soon as the system has room for a process again', async () => {
    const { crew, ready, numberOf, noRoom } = crewOf(2);
    const isStarted = crew.start();
    await ready(1);
    await ready(2);
    await isStarted;
    noRoom.times = 1;
    (await numberOf(1)).end(null);
    const third = await ready(3);
    assert.deepEqual([third.place.number, third.place.restarts], [1, 2]);
    await crew.end(0);
  });

  it('are given up when the system has no room for the first', async () => {
    const { crew, noRoom } = crewOf(2);
    noRoom.times = 1;
    await crew.start();
    assert.equal(await crew.ended, 1);
  });

  it('are replaced under the same number when they end', async () => {
    const { crew, ready, numberOf } = crewOf(2);
    const isStarted = crew.start();
    await ready(1);
    const second = await ready(2);
    await isStarted;
    (await numberOf(1)).end(null);
    const third = await ready(3);
    assert.deepEqual(third.place, { number: 1, processes: 2, runsJobs: true, restarts: 1 });
    second.together.tell(parts);
    assert.deepEqual(
      (await second.together.states()).map(({ number, restarts }) => [number, restarts]).sort(),
      [
        [1, 1],
        [2, 0],
      ],
    );
    await crew.end(0);
  });

  it('are killed and replaced when they do not answer any more, also while the server ends', async () => {
    const { crew, ready, numberOf } = crewOf(2, 20);
    const isStarted = crew.start();
    await ready(1);
    await ready(2);
    await isStarted;
    (await numberOf(1)).freeze();
    const third = await ready(3);
    assert.deepEqual([third.place.number, third.place.restarts], [1, 1]);
    (await numberOf(3)).freeze();
    assert.equal(await crew.end(0), 1);
  });

  it('share their counts, and free those of a worker that has ended', async () => {
    const { crew, ready, numberOf } = crewOf(2);
    const isStarted = crew.start();
    const [first, second] = [await ready(1), await ready(2)];
    await isStarted;
    const take = { do: 'take', of: [{ limit: 'l', perMinute: 3, name: 'n', count: 1 }] } as const;
    const waits = await Promise.all(
      [first, second, first, second].map(({ together }) => together.count(take)),
    );
    assert.deepEqual(waits.toSorted(), [0, 0, 0, 20]);
    const hold = { do: 'hold', limit: 'h', of: [{ name: 'n', most: 5 }], amount: 5 } as const;
    assert.equal(await first.together.count(hold), 1);
    assert.equal(await second.together.count(hold), 0);
    (await numberOf(1)).end(null);
    await ready(3);
    assert.equal(await second.together.count(hold), 1);
    await crew.end(0);
  });

  it('drop changed cache entries before the change is acknowledged', async () => {
    const { crew, ready } = crewOf(3);
    const isStarted = crew.start();
    const sides = [await ready(1), await ready(2), await ready(3)];
    await isStarted;
    const heard: string[] = [];
    for (const [index, { together }] of sides.entries())
      together.tell({ ...parts, hear: (topics) => void heard.push(`${index + 1} ${topics.join()}`) });
    await sides[1]?.together.spread(['space:a', 'shown:b']);
    assert.deepEqual(heard.sort(), ['1 space:a,shown:b', '3 space:a,shown:b']);
    await crew.end(0);
  });

  it('add up their metrics, which do not fall when a worker ends', async () => {
    const { crew, ready, numberOf } = crewOf(2);
    const isStarted = crew.start();
    const [first, second] = [await ready(1), await ready(2)];
    await isStarted;
    first.together.tell({ ...parts, figures: async () => counter(5) });
    second.together.tell({ ...parts, figures: async () => counter(7) });
    assert.deepEqual([await sumOf(first, 'n'), await sumOf(second, 'g')], [12, 12]);
    (await numberOf(1)).end(null);
    const third = await ready(3);
    third.together.tell({ ...parts, figures: async () => counter(1) });
    assert.deepEqual([await sumOf(second, 'n'), await sumOf(second, 'g')], [13, 8]);
    await crew.end(0);
  });
});
