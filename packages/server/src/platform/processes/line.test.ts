import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Answers, Line, LineBroken } from './line.ts';
import { channelPair } from './testing-channel.fixture.ts';

type Sums = {
  readonly sum: { readonly given: readonly number[]; readonly answered: number };
  readonly never: { readonly given: null; readonly answered: null };
};
type None = Record<never, { given: never; answered: never }>;

const answers: Answers<Sums> = {
  sum(numbers) {
    if (numbers.length === 0) throw new Error('nothing to add');
    return numbers.reduce((sum, number) => sum + number, 0);
  },
  never: () => new Promise(() => {}),
};

function line(): Line<Sums, None> {
  const [here, there] = channelPair();
  new Line<None, Sums>(there, answers);
  return new Line<Sums, None>(here, {});
}

describe('a line between two processes', () => {
  it('returns each response to its request, and errors with their messages', async () => {
    const asks = line();
    const [none, ...sums] = await Promise.allSettled([
      asks.ask('sum', []),
      asks.ask('sum', [1, 2]),
      asks.ask('sum', [40, 2]),
    ]);
    assert.match(String(none?.status === 'rejected' && none.reason), /nothing to add/u);
    assert.deepEqual(
      sums.map((sum) => sum.status === 'fulfilled' && sum.value),
      [3, 42],
    );
  });

  it('fails waiting and later requests when it breaks', async () => {
    const asks = line();
    const waiting = asks.ask('never', null);
    asks.break('it has ended');
    await assert.rejects(waiting, LineBroken);
    await assert.rejects(asks.ask('sum', [1]), LineBroken);
  });

  it('times out after the given time', async () => {
    await assert.rejects(line().ask('never', null, 1), LineBroken);
  });
});
