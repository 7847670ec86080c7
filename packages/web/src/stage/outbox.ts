import type { Json } from '@spaceport/contract/sdk-protocol';
import { answer, committed, databaseOf } from './database.ts';
import { StageError } from './stage-error.ts';

/** A write that could not be sent, and will be sent when the service can be reached. */
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
      /** Epoch ms. Scores of runs older than a day are not accepted. */
      readonly startedAt: number;
    }
  | {
      readonly is: 'save';
      readonly slot: string;
      readonly data: Data;
      /** The version that it replaces. Only a write that is added may name a waiting one: its id, negative. */
      readonly base: number;
      /** Whether it was sent once: the service may have it, if the answer was lost. */
      readonly tried?: boolean;
      /** The last saves in whose place it waits, and which the service may have. */
      readonly earlier?: readonly Data[];
    };

type Data = Json | Uint8Array;

type UnsentSave = Extract<Unsent, { is: 'save' }>;

export interface OutboxItem {
  /** Increasing; items are sent in this order. */
  readonly id: number;
  readonly lane: string;
  /** The idempotency key of the call: sent twice, it counts once. */
  readonly key: string;
  /** Epoch ms. */
  readonly at: number;
  readonly what: Unsent;
}

const guest = 'guest';

/** Returns the lane of a player in a space. `account` is the account's name; null for a guest. */
export function laneOf(space: string, account: string | null): string {
  return account === null ? `${space} ${guest}` : `${space} account ${account}`;
}

function spaceOfGuestLane(lane: string): string | null {
  const [space = '', whose, ...more] = lane.split(' ');
  return whose === guest && more.length === 0 ? space : null;
}

const mostInLane = 500;
/** Number of earlier saves that are remembered with a waiting one. */
const mostEarlier = 2;
/** Number of sent saves whose versions are remembered. */
const keptVersions = 1_000;
export const oldestRunMs = 24 * 3_600_000;

/** Returns whether an item is too old to be accepted. */
export function isStale({ what }: Pick<OutboxItem, 'what'>, now: number): boolean {
  return what.is === 'score' && now - what.startedAt >= oldestRunMs;
}

/**
 * Writes that wait to be sent, in the storage of our own page, in a separate lane for each space and player.
 * Tabs share it; only one tab sends at a time (`send-outbox.ts`).
 */
export interface Outbox {
  /**
   * Appends a write to a lane, and returns its id. A save replaces an earlier save of its slot; one that is
   * based on a waiting save is based on its version if that was sent meanwhile. `key` is the key of a call that
   * was tried already.
   * @throws `full`, and `offline` if the browser keeps nothing
   */
  add(lane: string, what: Unsent, at: number, key?: string): Promise<number>;
  /** Returns the items of a lane, in order. */
  list(lane: string): Promise<OutboxItem[]>;
  remove(id: number): Promise<void>;
  /** Called before a save is sent. */
  trying(item: Pick<OutboxItem, 'id'>): Promise<void>;
  /**
   * Removes a write that the service refuses for good. What is based on a refused save is then based on what
   * that was to replace.
   */
  refused(item: OutboxItem): Promise<void>;
  /**
   * Records the version of a sent save, and removes it. Waiting saves of the same slot are then based on it. The
   * version is 0 if the service keeps another save in the slot: what follows replaces none that it knows.
   */
  saved(item: Pick<OutboxItem, 'id' | 'lane'>, slot: string, version: number): Promise<void>;
  /**
   * Returns the version that a base means: of a save that waited, the one that it was sent as; 0 if none is
   * known.
   */
  versionOf(base: number): Promise<number>;
  /** Moves a guest's waiting writes, in all spaces, to an account. */
  handOver(account: string): Promise<void>;
}

const stores = { queue: 'queue', sent: 'sent' } as const;

/**
 * Opens the database at the first use, because most players never need it. If the browser opens none, nothing
 * waits.
 */
export function createOutbox(factory: () => IDBFactory = () => indexedDB): Outbox {
  const open = databaseOf(factory, 'spaceport-outbox', makeStores);
  /** Returns `otherwise` if the browser opens no database. */
  const work = async <Value>(
    mode: IDBTransactionMode,
    otherwise: Value,
    act: (queue: IDBObjectStore, sent: IDBObjectStore) => Promise<Value>,
  ): Promise<Value> => {
    const database = await open().catch(() => null);
    if (database === null) return otherwise;
    const transaction = database.transaction([stores.queue, stores.sent], mode);
    const kept = committed(transaction);
    const value = await act(transaction.objectStore(stores.queue), transaction.objectStore(stores.sent));
    await kept;
    return value;
  };
  const inLane = (queue: IDBObjectStore, lane: string): Promise<OutboxItem[]> =>
    answer<OutboxItem[]>(queue.index('lane').getAll(lane));

  return {
    async add(lane, what, at, key = newKey()) {
      const id = await work<number | null>('readwrite', null, async (queue, sent) => {
        const there = await inLane(queue, lane);
        const before = there.find((item) => isSaveOf(item, what));
        if (!before && there.length >= mostInLane)
          throw new StageError('full', 'Too much waits to be sent; go online first.');
        // The first save may be on its way already and is not changed; a later one is replaced.
        const base = before ? baseOf(before) : await sentVersion(sent, baseOf({ what }));
        const item = {
          lane,
          key,
          at,
          what: what.is === 'save' ? inPlaceOf(before, { ...what, base }) : what,
        };
        if (before) queue.delete(before.id);
        return Number(await answer(queue.add(item)));
      });
      if (id !== null) return id;
      throw new StageError(
        'offline',
        'The service cannot be reached, and this browser keeps nothing for later.',
      );
    },
    list: (lane) => work<OutboxItem[]>('readonly', [], (queue) => inLane(queue, lane)),
    remove: (id) =>
      work('readwrite', undefined, async (queue) => {
        await answer(queue.delete(id));
      }),
    trying: ({ id }) =>
      work('readwrite', undefined, async (queue) => {
        const item = await answer<OutboxItem | undefined>(queue.get(id));
        if (item?.what.is === 'save') queue.put({ ...item, what: { ...item.what, tried: true } });
      }),
    refused: ({ id, what }) =>
      work('readwrite', undefined, async (queue, sent) => {
        if (what.is === 'save') await answer(sent.put({ id, version: what.base }));
        await answer(queue.delete(id));
      }),
    saved: ({ id, lane }, slot, version) =>
      work('readwrite', undefined, async (queue, sent) => {
        await answer(sent.put({ id, version }));
        sent.delete(IDBKeyRange.upperBound(id - keptVersions));
        for (const item of await inLane(queue, lane)) {
          if (item.id === id) await answer(queue.delete(id));
          else if (item.what.is === 'save' && item.what.slot === slot)
            await answer(queue.put({ ...item, what: { ...item.what, base: version } }));
        }
      }),
    versionOf: async (base) =>
      base >= 0 ? base : work('readonly', 0, (_queue, sent) => sentVersion(sent, base)),
    handOver: (account) =>
      work('readwrite', undefined, async (queue) => {
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

/** Returns a save that replaces one that waits, of which the service may have got any that was tried. */
function inPlaceOf(before: OutboxItem | undefined, save: UnsentSave): UnsentSave {
  if (before?.what.is !== 'save') return save;
  const { data, tried, earlier = [] } = before.what;
  const known = tried ? [data, ...earlier].slice(0, mostEarlier) : earlier;
  return known.length === 0 ? save : { ...save, earlier: known };
}

function baseOf({ what }: Pick<OutboxItem, 'what'>): number {
  return what.is === 'save' ? what.base : 0;
}

/** Returns the version that a base means: of a save that waited, the one that it was sent as; 0 if none is known. */
async function sentVersion(sent: IDBObjectStore, base: number): Promise<number> {
  if (base >= 0) return base;
  const found = await answer<{ version: number } | undefined>(sent.get(-base));
  return found?.version ?? 0;
}

function makeStores(database: IDBDatabase): void {
  database
    .createObjectStore(stores.queue, { keyPath: 'id', autoIncrement: true })
    .createIndex('lane', 'lane');
  database.createObjectStore(stores.sent, { keyPath: 'id' });
}

/** Returns an idempotency key of 128 bits. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
