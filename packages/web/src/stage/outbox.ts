import type { Json } from '@spaceport/contract/sdk-protocol';
import { answer } from './request.ts';
import { StageError } from './stage-error.ts';

/** What could not be sent, and is once the service can be reached. */
export type Unsent =
  | { readonly is: 'stat'; readonly stat: string; readonly by?: number; readonly value?: number }
  | { readonly is: 'unlock'; readonly achievement: string }
  | {
      readonly is: 'score';
      readonly run: string;
      readonly board: string;
      readonly score: number;
      readonly meta?: Json;
      readonly replay?: Uint8Array;
      /** Epoch ms: of a run that is older than a day no score is taken. */
      readonly startedAt: number;
    }
  | { readonly is: 'save'; readonly slot: string; readonly data: Json | Uint8Array; readonly base: number };

export interface OutboxItem {
  /** Counts up: what was put in first is sent first. */
  readonly id: number;
  readonly lane: string;
  /** Of the call: sent twice it counts once. */
  readonly key: string;
  /** Epoch ms. */
  readonly at: number;
  readonly what: Unsent;
}

const guest = 'guest';

/** Where what somebody could not send waits: in each space apart, by the name of their account; null for a guest. */
export function laneOf(space: string, account: string | null): string {
  return account === null ? `${space} ${guest}` : `${space} account ${account}`;
}

function spaceOfGuestLane(lane: string): string | null {
  const [space = '', whose, ...more] = lane.split(' ');
  return whose === guest && more.length === 0 ? space : null;
}

const mostInLane = 500;
/** Of saves that were sent, how many their version is remembered of. */
const keptVersions = 1_000;
export const oldestRunMs = 24 * 3_600_000;

/** Whether it is of no use any more to send it. */
export function isStale({ what }: Pick<OutboxItem, 'what'>, now: number): boolean {
  return what.is === 'score' && now - what.startedAt >= oldestRunMs;
}

/**
 * What waits to be sent, in the storage of our own page, for each space and player in a lane of its own. Tabs share it; only
 * one of them sends at a time (`send-outbox.ts`).
 */
export interface Outbox {
  /**
   * Puts it behind what is there; returns its id. A save takes the place of an earlier one of its slot. `key` is of the
   * call that was tried already.
   * @throws `full`
   */
  add(lane: string, what: Unsent, at: number, key?: string): Promise<number>;
  /** In order. */
  list(lane: string): Promise<OutboxItem[]>;
  remove(id: number): Promise<void>;
  /** A save was sent: what waits for the same slot goes out from it. `id` is known as that version from now on. */
  saved(item: Pick<OutboxItem, 'id' | 'lane'>, slot: string, version: number): Promise<void>;
  /** The version that a save got which was put in by that id; null while it was not sent. */
  versionOf(id: number): Promise<number | null>;
  /** What a guest could not send, in whatever space, is from now on what the account could not. */
  handOver(account: string): Promise<void>;
}

const stores = { queue: 'queue', sent: 'sent' } as const;

/** Opened at the first use: most who play never need it. */
export function createOutbox(factory: IDBFactory = indexedDB): Outbox {
  let opening: Promise<IDBDatabase> | null = null;
  const open = () => {
    opening ??= openStores(factory).catch((error: unknown) => {
      opening = null;
      throw error;
    });
    return opening;
  };
  const work = async <Value>(
    mode: IDBTransactionMode,
    act: (queue: IDBObjectStore, sent: IDBObjectStore) => Promise<Value>,
  ): Promise<Value> => {
    const transaction = (await open()).transaction([stores.queue, stores.sent], mode);
    const kept = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error ?? new Error('The browser kept nothing.'));
    });
    const value = await act(transaction.objectStore(stores.queue), transaction.objectStore(stores.sent));
    await kept;
    return value;
  };
  const inLane = (queue: IDBObjectStore, lane: string): Promise<OutboxItem[]> =>
    answer<OutboxItem[]>(queue.index('lane').getAll(lane));

  return {
    add: (lane, what, at, key = newKey()) =>
      work('readwrite', async (queue) => {
        const there = await inLane(queue, lane);
        const before = there.find((item) => isSaveOf(item, what));
        if (!before && there.length >= mostInLane)
          throw new StageError('full', 'Too much waits to be sent; go online first.');
        // A save that may be on its way already is not changed; the one that follows it is.
        const later = before && before.what.is === 'save' && what.is === 'save';
        const item = { lane, key, at, what: later ? { ...what, base: baseOf(before) } : what };
        if (before) queue.delete(before.id);
        return Number(await answer(queue.add(item)));
      }),
    list: (lane) => work('readonly', (queue) => inLane(queue, lane)),
    remove: (id) =>
      work('readwrite', async (queue) => {
        await answer(queue.delete(id));
      }),
    saved: ({ id, lane }, slot, version) =>
      work('readwrite', async (queue, sent) => {
        await answer(sent.put({ id, version }));
        sent.delete(IDBKeyRange.upperBound(id - keptVersions));
        for (const item of await inLane(queue, lane)) {
          if (item.id === id) await answer(queue.delete(id));
          else if (item.what.is === 'save' && item.what.slot === slot)
            await answer(queue.put({ ...item, what: { ...item.what, base: version } }));
        }
      }),
    versionOf: (id) =>
      work('readonly', async (_queue, sent) => {
        const found = await answer<{ version: number } | undefined>(sent.get(id));
        return found?.version ?? null;
      }),
    handOver: (account) =>
      work('readwrite', async (queue) => {
        for (const item of await answer<OutboxItem[]>(queue.getAll())) {
          const space = spaceOfGuestLane(item.lane);
          if (space !== null) await answer(queue.put({ ...item, lane: laneOf(space, account) }));
        }
      }),
  };
}

function isSaveOf({ what: there }: OutboxItem, what: Unsent): boolean {
  return there.is === 'save' && what.is === 'save' && there.slot === what.slot;
}

function baseOf({ what }: OutboxItem): number {
  return what.is === 'save' ? what.base : 0;
}

function openStores(factory: IDBFactory): Promise<IDBDatabase> {
  const opening = factory.open('spaceport-outbox', 1);
  opening.onupgradeneeded = () => {
    opening.result
      .createObjectStore(stores.queue, { keyPath: 'id', autoIncrement: true })
      .createIndex('lane', 'lane');
    opening.result.createObjectStore(stores.sent, { keyPath: 'id' });
  };
  return answer(opening);
}

/** Of a call that may be repeated: 128 bits. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
