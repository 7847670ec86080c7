import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { memoryDatabase } from '../../test/memory-database.ts';
import { createOutbox, type Outbox, type OutboxItem } from './outbox.ts';
import type { Play } from './play.ts';
import { createStageSaves } from './saves.ts';

const lane = 'space guest';
const saveOf = (data: string, base: number) => ({ is: 'save', slot: 'a', data, base }) as const;
const [at, version] = [0, 4];

async function waiting(outbox: Outbox): Promise<OutboxItem['what'][]> {
  return (await outbox.list(lane)).map(({ what }) => what);
}

describe('a save that waits', () => {
  it('replaces the one before it, and what that one was to replace', async () => {
    const outbox = createOutbox(memoryDatabase);
    const first = await outbox.add(lane, saveOf('first', 3), at);
    await outbox.add(lane, saveOf('second', -first), at);
    assert.deepEqual(await waiting(outbox), [saveOf('second', 3)]);
  });

  it('is based on the one before it if that is sent at this moment', async () => {
    const outbox = createOutbox(memoryDatabase);
    const first = await outbox.add(lane, saveOf('first', 3), at);
    const play: Partial<Play> = { lane: () => lane };
    const saves = createStageSaves({
      space: 'space',
      play: play as Play,
      outbox,
      async keep(what) {
        await outbox.saved({ id: first, lane }, 'a', version);
        return outbox.add(lane, what, at);
      },
    });
    await saves.set('a', 'second', -first);
    assert.deepEqual(await waiting(outbox), [saveOf('second', version)]);
  });

  it('is written as a new slot if nobody knows what became of the one before it', async () => {
    const outbox = createOutbox(memoryDatabase);
    await outbox.add(lane, saveOf('second', -7), at);
    assert.deepEqual(await waiting(outbox), [saveOf('second', 0)]);
  });
});
