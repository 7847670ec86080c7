import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError, ConnectionError } from '@spaceport/client/api-error';
import fc from 'fast-check';
import { isStale, type Outbox, type OutboxItem, oldestRunMs, type Unsent } from './outbox.ts';
import { sendAll } from './send-outbox.ts';

const lane = 'space player';
const item = (id: number, what: Unsent = { is: 'unlock', achievement: `a${id}` }): OutboxItem => ({
  id,
  lane,
  key: `key ${id}`,
  at: 0,
  what,
});

/** An outbox in memory, with only the functions that sending uses. */
function outboxOf(
  items: OutboxItem[],
): Pick<Outbox, 'list' | 'remove' | 'refused'> & { readonly items: OutboxItem[] } {
  const remove = async (id: number) => {
    const at = items.findIndex((each) => each.id === id);
    if (at >= 0) items.splice(at, 1);
  };
  const list = async (of: string) => items.filter((each) => each.lane === of);
  return { items, list, remove, refused: ({ id }) => remove(id) };
}
type Outcome = 'ok' | 'away' | 'limited' | 'offline' | 'refused';
const failures: Readonly<Record<Exclude<Outcome, 'ok'>, () => Error>> = {
  away: () => new ConnectionError('http://x', new Error('refused')),
  limited: () => new ApiError({ status: 429, code: 'rate_limited', message: '' }),
  offline: () => new ApiError({ status: 409, code: 'space_unavailable', message: '' }),
  refused: () => new ApiError({ status: 403, code: 'banned', message: '' }),
};

test('sends in order, stops while the service or the space is away, and drops only what the service refuses', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom<Outcome>('ok', 'away', 'limited', 'offline', 'refused'), { maxLength: 30 }),
      fc.integer({ min: 1, max: 8 }),
      async (outcomes, count) => {
        const outbox = outboxOf(Array.from({ length: count }, (_, at) => item(at + 1)));
        const sent: number[] = [];
        const dropped: number[] = [];
        const left = [...outcomes];
        const send = async ({ id }: OutboxItem) => {
          const outcome = left.shift() ?? 'ok';
          if (outcome === 'refused') dropped.push(id);
          if (outcome !== 'ok') throw failures[outcome]();
          sent.push(id);
        };
        // No more tries than outcomes: when none are left, every item is accepted.
        for (let tries = 0; tries <= outcomes.length; tries++)
          if (await sendAll({ outbox: outbox as unknown as Outbox, lane, send, now: () => 0 })) break;
        assert.deepEqual(outbox.items, []);
        assert.deepEqual(
          sent,
          sent.toSorted((one, other) => one - other),
        );
        assert.equal(sent.length + dropped.length, count);
      },
    ),
  );
});

test('drops scores of runs that are older than a day, and nothing else', async () => {
  const run = { is: 'score', run: 'r', board: 'b', score: 1, startedAt: 1_000 } as const;
  assert.equal(isStale(item(1, run), 1_000 + oldestRunMs - 1), false);
  assert.equal(isStale(item(1, run), 1_000 + oldestRunMs), true);
  assert.equal(isStale(item(1, { is: 'stat', stat: 's', by: 1 }), Number.MAX_SAFE_INTEGER), false);
  const outbox = outboxOf([item(1, run), item(2)]);
  const sent: number[] = [];
  const send = async ({ id }: OutboxItem) => void sent.push(id);
  const now = () => 1_000 + oldestRunMs;
  assert.equal(await sendAll({ outbox: outbox as unknown as Outbox, lane, send, now }), true);
  assert.deepEqual(sent, [2]);
});
