import type { StorageChange } from '@spaceport/contract/sdk-protocol';
import { type Entries, isSame, readChanges, withChanges } from '@spaceport/contract/storage-mirror';
import {
  adopted,
  changed,
  type Kept,
  nothingKept,
  reconcile,
  sent,
  type Theirs,
  taken,
} from './kept-rules.ts';
import { type KeptSlot, OtherKept } from './kept-slot.ts';
import { type KeptStore, noteKept } from './kept-store.ts';
import { leaveLate, takeLate } from './late-changes.ts';
import { readTheirs } from './read-theirs.ts';
import { oneTabAtATime } from './send-outbox.ts';
import { StageError } from './stage-error.ts';

/** One of two that were changed apart stands; the player may have the other. */
export interface OtherFound {
  /** What stands: what was played here, or what the account had. */
  readonly stands: 'mine' | 'theirs';
  /** What wrote the account's. */
  readonly device: string;
  use(): Promise<void>;
}

export interface FrameStorageOptions {
  /** Under what it is kept: the space, and whether it is live. */
  readonly id: string;
  /** The account's handle; null for a guest, whom nothing follows. */
  readonly who: string | null;
  readonly store: KeptStore;
  readonly slot: KeptSlot;
  readonly send: (changes: StorageChange[]) => void;
  readonly onOther: (other: OtherFound) => void;
  /** The space has to begin again: it runs with what is not its player's any more. */
  readonly reload: () => void;
}

/** The account is told so long after the first change, of all until then. */
const tellAfterMs = 5_000;
const againMs = 30_000;

export type FrameStorage = ReturnType<typeof createFrameStorage>;

/** What a space has in its `localStorage`, kept by this page for whoever plays. */
export function createFrameStorage(options: FrameStorageOptions) {
  const { id, store, slot, send, onOther, reload } = options;
  let { who } = options;
  /** What the frame has. */
  let runs: Entries = new Map();
  /** What was kept last: for a page that goes away. */
  let last: Kept | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Somebody else plays now, or something else stands: what the frame still writes is dropped. */
  let isOver = false;
  let isStopped = false;
  let becoming = Promise.resolve();
  /** What was heard of and is not kept yet, in order. */
  const unkept = new Set<StorageChange[]>();
  let offered = 0;
  const keyOf = (player: string | null) => `${id} ${player === null ? 'guest' : `@${player}`}`;
  const channel = new BroadcastChannel('spaceport-kept');
  channel.onmessage = ({ data }: MessageEvent<{ key: string; changes: StorageChange[] }>) => {
    if (data.key !== keyOf(who) || isOver) return;
    runs = withChanges(runs, data.changes);
    send(data.changes);
  };

  const change = async (by: (before: Kept | null) => Kept | null): Promise<Kept | null> => {
    last = await store.change(keyOf(who), by);
    return last;
  };

  /** What was kept for a guest here is the account's now, unless it has something here that it was not told of. */
  async function adopt(): Promise<void> {
    await keepLate(null);
    const guest = await store.read(keyOf(null));
    if (!guest || guest.entries.size === 0) return;
    const mine = await store.read(keyOf(who));
    if (mine && mine.unsent > 0) return;
    await change(() => adopted(guest, Date.now()));
    await store.change(keyOf(null), () => null);
  }

  const other = (stands: OtherFound['stands'], theirs: Theirs, entries: Entries): OtherFound => ({
    stands,
    device: theirs.device,
    async use() {
      isOver = true;
      await change((now) => replaced(now ?? nothingKept, entries));
      channel.postMessage({ key: keyOf(who), changes: [null, ...entries] });
      reload();
    },
  });

  /** Once of each, however often it is in the way. */
  function offer(theirs: Theirs): void {
    if (offered === theirs.version) return;
    offered = theirs.version;
    onOther(other('mine', theirs, theirs.entries));
  }

  function tellLater(afterMs = tellAfterMs): void {
    if (who !== null && !isStopped) timer ??= setTimeout(tell, afterMs);
  }

  function tell(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    return oneTabAtATime(`spaceport-kept ${keyOf(who)}`, tellNow).catch(() => tellLater(againMs));
  }

  async function tellNow(): Promise<void> {
    const mine = who === null ? null : await store.read(keyOf(who));
    if (!mine || mine.unsent === 0) return;
    const settle = (version: number) => change((now) => now && sent(now, mine, version));
    try {
      await settle(await slot.put(mine.entries, mine.base));
    } catch (error) {
      if (!(error instanceof OtherKept)) throw error;
      const { theirs } = error;
      // What is played here goes on; what was there is kept, for the service has seen two.
      await settle(await slot.put(mine.entries, theirs?.version ?? 0));
      if (theirs && !isSame(theirs.entries, mine.entries)) offer(theirs);
    }
  }

  /** @throws what the service does, but for the conflict that is looked for */
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
        onOther(other('theirs', theirs, mine.entries));
      }
      await change(() => taken(theirs));
      return theirs.entries;
    }
    // It is told, which finds the conflict that it may be.
    tellLater(0);
    return mine?.entries ?? null;
  }

  /** What a page of this browser had heard of when it went away. What was changed since then stands. */
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
    // Not before: another tab may tell the account meanwhile, and what it had until then would take the place of that.
    const theirs = await readTheirs(slot, { hasOwn: mine !== null });
    if (theirs !== undefined) {
      const begun = await beginAs(mine, theirs).catch(() => undefined);
      if (begun !== undefined) {
        if (begun && begun.size > 0) noteKept(id);
        return begun;
      }
    }
    tellLater(againMs);
    return mine?.entries ?? null;
  }

  function beginAgain(): void {
    isOver = true;
    reload();
  }

  /** The game runs on with what the guest had, which may be other than what the account has. */
  async function signIn(next: string): Promise<void> {
    who = next;
    // What this browser has of the account from before goes first.
    await tell();
    const before = await store.read(keyOf(who));
    // The service is away, and cannot be given both: each stays where it is.
    if (before && before.unsent > 0) return beginAgain();
    // Another tab may have brought it along already.
    if (!before || !isSame(before.entries, runs))
      await change(() => adopted({ ...nothingKept, entries: runs }, Date.now()));
    await store.change(keyOf(null), () => null);
    const theirs = runs.size > 0 ? undefined : await readTheirs(slot, { hasOwn: true });
    if (theirs && theirs.entries.size > 0) offer(theirs);
    await tell();
  }

  return {
    /** What the space begins with; null where nothing was ever kept. */
    async begin(): Promise<Entries | null> {
      const begun = await find();
      runs = begun ?? runs;
      return begun;
    },
    /** The space has changed something. What it sends is a stranger's. */
    async write(given: unknown): Promise<null> {
      const changes = readChanges(given);
      if (changes === null) throw new StageError('invalid', 'these are no changes of a storage');
      unkept.add(changes);
      try {
        // What comes meanwhile is of whoever plays then.
        await becoming.catch(() => {});
        if (isOver) return null;
        noteKept(id);
        runs = withChanges(runs, changes);
        await change((before) => changed(before ?? nothingKept, changes, Date.now()));
        channel.postMessage({ key: keyOf(who), changes });
      } finally {
        unkept.delete(changes);
      }
      tellLater();
      return null;
    },
    /** Somebody else plays from now on. A guest's game goes on when they sign in: it is their account's then. */
    async become(next: string | null): Promise<void> {
      if (next === who || isOver) return;
      if (next === null || who !== null) return beginAgain();
      becoming = signIn(next);
      return becoming;
    },
    tell,
    /** The page goes away. */
    tellLast(): void {
      const late = isOver ? [] : [...unkept].flat();
      if (late.length > 0) leaveLate(keyOf(who), late, Date.now());
      const now = late.length > 0 ? changed(last ?? nothingKept, late, Date.now()) : last;
      if (who !== null && now !== null && now.unsent > 0) slot.putLast(now.entries, now.base);
    },
    /** What the account was not told yet it is told. */
    stop(): void {
      isStopped = true;
      channel.close();
      void tell();
    },
  };
}

function replaced(now: Kept, entries: Entries): Kept {
  return { ...now, entries, at: Date.now(), unsent: now.unsent + 1 };
}
