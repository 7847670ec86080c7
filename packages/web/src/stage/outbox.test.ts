import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createOutbox, type Outbox, type OutboxItem } from './outbox.ts';
import type { Play } from './play.ts';
import { createStageSaves } from './saves.ts';

const lane = 'space guest';
type Row = { id: number };

/** A database in memory, with the calls that the outbox makes. Each transaction ends after its last request. */
function memoryDatabase(): IDBFactory {
  const stores = { queue: new Map<number, Row>(), sent: new Map<number, Row>() };
  let last = 0;
  const transactionOf = () => {
    const transaction: { oncomplete?: () => void; objectStore?: unknown } = {};
    let open = 0;
    const asked = (result: unknown) => {
      const request: { result: unknown; onsuccess?: () => void } = { result };
      open += 1;
      queueMicrotask(() => {
        request.onsuccess?.();
        setImmediate(() => {
          open -= 1;
          if (open === 0) transaction.oncomplete?.();
        });
      });
      return request;
    };
    transaction.objectStore = (name: keyof typeof stores) => {
      const rows = stores[name];
      return {
        get: (id: number) => asked(rows.get(id)),
        getAll: () => asked([...rows.values()]),
        put: (row: Row) => asked(rows.set(row.id, row)),
        add(row: object) {
          last += 1;
          rows.set(last, { ...row, id: last });
          return asked(last);
        },
        delete: (id: number | null) => asked(id === null || rows.delete(id)),
        index: () => ({
          getAll: (of: string) => asked([...rows.values()].filter((row) => 'lane' in row && row.lane === of)),
        }),
      };
    };
    return transaction;
  };
  const open = () => {
    const request: { result: unknown; onsuccess?: () => void } = { result: { transaction: transactionOf } };
    queueMicrotask(() => request.onsuccess?.());
    return request;
  };
  return { open } as unknown as IDBFactory;
}
Object.assign(globalThis, { IDBKeyRange: { upperBound: () => null } });

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
