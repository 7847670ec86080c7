import type { StorageChange } from '@spaceport/contract/sdk-protocol';
import { type Entries, isSame, readChanges, withChanges } from '@spaceport/contract/storage-mirror';
import {
  adopted,
  begun,
  changed,
  type Kept,
  nothingKept,
  reconcile,
  type Theirs,
  taken,
} from './kept-rules.ts';
import { type KeptSlot, OtherKept } from './kept-slot.ts';
import { type KeptStore, noteKept } from './kept-store.ts';
import { leaveLate, takeLate } from './late-changes.ts';
import { readTheirs } from './read-theirs.ts';
import { putOver, sendKept } from './send-kept.ts';
import { oneTabAtATime } from './send-outbox.ts';
import { StageError } from './stage-error.ts';

/** Two storages were changed independently. One was kept, and the player may take the other. */
export interface OtherFound {
  /** The storage that was kept: this browser's, or the account's. */
  readonly stands: 'mine' | 'theirs';
  /** The device that wrote the account's storage. */
  readonly device: string;
  /** The storage that was not kept. */
  readonly entries: Entries;
  /** The key under which this browser keeps the player's storage. */
  readonly key: string;
}

export interface FrameStorageOptions {
  /** The key of the storage: the space, and whether it is live. */
  readonly id: string;
  /** The account's handle; null for a guest, whose storage stays in the browser. */
  readonly who: string | null;
  readonly store: KeptStore;
  readonly slot: KeptSlot;
  readonly send: (changes: StorageChange[]) => void;
  readonly onOther: (other: OtherFound) => void;
  /** Whether the space may run already, without the storage that is kept. */
  readonly mayRun: () => boolean;
  /** Restarts the space, because it runs with storage that is not its player's. */
  readonly reload: () => void;
}

/** Time after the first change at which all changes so far are written to the account. */
const tellAfterMs = 5_000;
const againMs = 30_000;
const channelName = 'spaceport-kept';

/** Opens the channel to other tabs. Returns null if the browser refuses it, as Firefox does with all storage. */
function openChannel(): BroadcastChannel | null {
  try {
    return new BroadcastChannel(channelName);
  } catch {
    return null;
  }
}

export type FrameStorage = ReturnType<typeof createFrameStorage>;

/** Keeps a space's `localStorage` in this page, for its player. */
export function createFrameStorage(options: FrameStorageOptions) {
  const { id, store, send, onOther, mayRun, reload } = options;
  let { who, slot } = options;
  /** The entries that the frame has. */
  let runs: Entries = new Map();
  /** The last kept storage, for a page that is closing. */
  let last: Kept | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Whether further writes of the frame are dropped, because the player or the kept storage has changed. */
  let isOver = false;
  let isStopped = false;
  /** Writes wait until the kept storage was read, and while the player changes. */
  let becoming: Promise<unknown> = Promise.resolve();
  /** Changes that arrived and are not kept yet, in order. */
  const unkept = new Set<StorageChange[]>();
  let offered = 0;
  const keyOf = (player: string | null) => `${id} ${player === null ? 'guest' : `@${player}`}`;
  const channel = openChannel();
  const hear = ({ data }: MessageEvent<{ key: string; changes: StorageChange[] }>) => {
    if (data.key !== keyOf(who) || isOver) return;
    runs = withChanges(runs, data.changes);
    send(data.changes);
  };
  if (channel) channel.onmessage = hear;

  /** Tells other tabs. A stopped storage may still end a write, when its channel is closed. */
  function announce(changes: StorageChange[]): void {
    const to = isStopped ? openChannel() : channel;
    to?.postMessage({ key: keyOf(who), changes });
    if (isStopped) to?.close();
  }

  const change = async (by: (before: Kept | null) => Kept | null): Promise<Kept | null> => {
    last = await store.change(keyOf(who), by);
    return last;
  };

  /** Gives a guest's storage to the account, unless the account has unsent changes in this browser. */
  async function adopt(): Promise<void> {
    await keepLate(null);
    const guest = await store.read(keyOf(null));
    if (!guest || guest.entries.size === 0) return;
    const mine = await store.read(keyOf(who));
    if (mine && mine.unsent > 0) return;
    await change(() => adopted(guest, Date.now()));
    await store.change(keyOf(null), () => null);
  }

  /** Offers each of the account's storages once, even if it conflicts several times. */
  function offer(theirs: Theirs): void {
    if (offered === theirs.version) return;
    offered = theirs.version;
    onOther({ stands: 'mine', device: theirs.device, entries: theirs.entries, key: keyOf(who) });
  }

  function tellLater(afterMs = tellAfterMs): void {
    if (who !== null && !isStopped) timer ??= setTimeout(tell, afterMs);
  }

  const alone = (work: () => Promise<void>) => oneTabAtATime(`spaceport-kept ${keyOf(who)}`, work);

  function tell(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    return alone(tellNow).catch(() => tellLater(againMs));
  }

  async function tellNow(): Promise<void> {
    // A conflict does not change the running game: it goes on, and the player is offered the other storage.
    if (who !== null) await sendKept({ slot, change, onReplaced: offer });
  }

  /**
   * Sends this browser's storage as a losing save. @throws the service's errors, except the expected conflict
   */
  async function lose(mine: Kept): Promise<void> {
    await slot.put(mine.entries, mine.base).catch((error: unknown) => {
      if (!(error instanceof OtherKept)) throw error;
    });
  }

  async function beginAs(mine: Kept | null, theirs: Theirs | null): Promise<Entries | null> {
    const { stands, isConflict } = reconcile(mine, theirs);
    if (stands === 'nothing') {
      if (mine) await change(() => null);
      return mine && new Map();
    }
    if (stands === 'theirs' && theirs) {
      if (isConflict && mine) {
        await lose(mine);
        onOther({ stands: 'theirs', device: theirs.device, entries: mine.entries, key: keyOf(who) });
      }
      await change(() => taken(theirs));
      return theirs.entries;
    }
    // Writing to the account finds a possible conflict.
    tellLater(0);
    return mine?.entries ?? null;
  }

  /** Keeps the changes that an earlier page of this browser left when it closed. Newer changes win. */
  async function keepLate(player: string | null): Promise<void> {
    const late = takeLate(keyOf(player));
    if (late !== null)
      await store.change(keyOf(player), (now) =>
        (now?.at ?? 0) > late.at ? now : changed(now ?? nothingKept, late.changes, late.at),
      );
  }

  async function find(): Promise<Entries | null> {
    await keepLate(who);
    if (who === null) return (await store.read(keyOf(null)))?.entries ?? null;
    await adopt();
    const mine = await store.read(keyOf(who));
    last = mine;
    // Not earlier: another tab may write to the account meanwhile, and the older state would replace that.
    const theirs = await readTheirs(slot, { hasOwn: mine !== null });
    if (theirs !== undefined) {
      const begun = await beginAs(mine, theirs).catch(() => undefined);
      if (begun !== undefined) return begun;
    }
    tellLater(againMs);
    return mine?.entries ?? null;
  }

  function beginAgain(): void {
    isOver = true;
    reload();
  }

  /** The game goes on with the guest's storage, which may differ from the account's. */
  async function signIn(next: string, nextSlot: KeptSlot): Promise<void> {
    who = next;
    slot = nextSlot;
    // This browser's older changes of the account are sent first.
    await tell();
    const before = await store.read(keyOf(who));
    // The service is unavailable and cannot take both, so each storage stays where it is.
    if (before && before.unsent > 0) return beginAgain();
    // Another tab may have done this already.
    if (!before || !isSame(before.entries, runs))
      await change(() => adopted({ ...nothingKept, entries: runs }, Date.now()));
    await store.change(keyOf(null), () => null);
    const theirs = runs.size > 0 ? undefined : await readTheirs(slot, { hasOwn: true });
    if (theirs && theirs.entries.size > 0) offer(theirs);
    await tell();
  }

  return {
    /** Returns the storage that the space begins with; null if nothing was ever kept. */
    async begin(): Promise<Entries | null> {
      const beginning = find().then((begun) => {
        runs = begun ?? runs;
        if (begun && begun.size > 0) {
          noteKept(id);
          // What it wrote meanwhile is dropped.
          if (mayRun()) beginAgain();
        }
        return begun;
      });
      becoming = beginning;
      return beginning;
    },
    /** Whether the space is about to start again, with a storage of its own. */
    isOver: () => isOver,
    /** Applies the space's changes, which are not trusted. */
    async write(given: unknown): Promise<null> {
      const changes = readChanges(given);
      if (changes === null) throw new StageError('invalid', 'these are no changes of a storage');
      unkept.add(changes);
      try {
        // Changes that arrive during a change of player belong to the new player.
        await becoming.catch(() => {});
        if (isOver) return null;
        noteKept(id);
        runs = withChanges(runs, changes);
        await change((before) => changed(before ?? nothingKept, changes, Date.now()));
        announce(changes);
      } finally {
        unkept.delete(changes);
      }
      tellLater();
      return null;
    },
    /**
     * Changes the player, and with it the account's slot. If a guest signs in, the game goes on, and its storage
     * is then the account's.
     */
    async become(next: string | null, nextSlot: KeptSlot): Promise<void> {
      if (next === who || isOver) return;
      if (next === null || who !== null) return beginAgain();
      const signingIn = signIn(next, nextSlot);
      becoming = signingIn;
      return signingIn;
    },
    /**
     * Begins again with a storage that was offered, unless the player is another one now. The service keeps
     * what is replaced.
     * @throws the service's errors. Then nothing is replaced.
     */
    async use({ key, entries }: OtherFound): Promise<void> {
      await becoming.catch(() => {});
      if (key !== keyOf(who)) return;
      await alone(async () => {
        await tellNow();
        // Without a base it is refused first, if the account has any storage, so that the service keeps that.
        const version = await putOver(slot, entries, 0);
        isOver = true;
        await change(() => taken({ entries, at: Date.now(), version }));
      });
      announce([null, ...entries]);
      reload();
    },
    /** Writes unsent changes to the account. */
    async tell(): Promise<void> {
      // A page that asks for a lock while it is left is not kept for Back, so nothing asks for one in vain.
      if (who !== null && (unkept.size > 0 || (last?.unsent ?? 0) > 0)) await tell();
    },
    /** Called when the page is closing. */
    tellLast(): void {
      const late = isOver ? [] : [...unkept].flat();
      if (late.length > 0) leaveLate(keyOf(who), late, Date.now());
      const now = late.length > 0 ? changed(last ?? nothingKept, late, Date.now()) : last;
      if (who === null || now === null || now.unsent === 0) return;
      slot.putLast(now.entries, now.base);
      // The next page may read the account's storage before this write arrives.
      if (late.length === 0) void change((kept) => kept && begun(kept)).catch(() => {});
    },
    /** Writes unsent changes to the account, and stops. */
    stop(): void {
      isStopped = true;
      channel?.close();
      void tell();
    },
  };
}
