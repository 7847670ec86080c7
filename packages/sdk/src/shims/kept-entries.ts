import { isOddJson } from '@spaceport/contract/odd-json';
import { keptBytes, mostKeptBytes } from './kept-bytes.ts';
import type { ShimHost } from './shim-host.ts';

/** Changes that a game makes together are written together, and soon, because the player may leave. */
const soonMs = 50;
/** Pause between two writes, because games may change something in every frame. */
const restMs = 2_000;
const againAfterMs = 5_000;

type Entries = ReadonlyMap<string, string>;
/**
 * Changes that are not in the slot yet: a text, or null for a removal. They add to the slot, or replace all
 * of it.
 */
interface Changes {
  readonly isCleared: boolean;
  readonly made: ReadonlyMap<string, string | null>;
}
const unchanged: Changes = { isCleared: false, made: new Map() };

/**
 * Texts by name, with synchronous reads, kept together in a slot of the player's saves. Changes made before
 * the slot was read, or while another player signs in, are applied over the slot's content.
 */
export function createKeptEntries({ spaceport, frame }: ShimHost, slot: string) {
  let isBegun = false;
  let isRead = false;
  let entries: Entries = new Map();
  let bytes = 0;
  let changes = unchanged;
  let writing: Promise<void> | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function show(stored: Entries): void {
    entries = changed(stored, changes);
    bytes = 0;
    for (const [key, value] of entries) bytes += bytesOf(key, value);
  }

  async function read(): Promise<void> {
    const found = textsOf((await spaceport.saves.get(slot))?.data);
    isRead = true;
    show(found);
  }

  async function write(): Promise<void> {
    if (!isRead) await read();
    const [sent, taken] = [entries, changes];
    changes = unchanged;
    try {
      await spaceport.saves.set(slot, contentOf(sent));
      // Another player may have signed in meanwhile, whose entries are shown now.
      show(changed(entries, taken));
    } catch (error) {
      changes = over(taken, changes);
      throw error;
    }
  }

  const isSaved = () => changes.made.size === 0 && !changes.isCleared;
  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (isSaved() || writing) return;
    writing = write().then(
      () => rest(restMs),
      () => rest(againAfterMs),
    );
  }
  function rest(ms: number): void {
    writing = undefined;
    timer = setTimeout(flush, ms);
  }

  function change(next: Changes, bytesAfter: number): void {
    changes = over(changes, next);
    entries = changed(entries, next);
    bytes = bytesAfter;
    if (!writing) timer ??= setTimeout(flush, soonMs);
  }
  const without = (key: string) => bytes - bytesOf(key, entries.get(key));

  frame.addEventListener('pagehide', flush);
  // A phone may end a hidden page without further events.
  frame.document.addEventListener('visibilitychange', () => {
    if (frame.document.visibilityState === 'hidden') flush();
  });
  spaceport.on('player', () => {
    // The slot now belongs to another player, or to the account that the guest signed in to. It is not written
    // before it was read, because the entries shown until then are those of the player before.
    isRead = false;
    if (isBegun) void read().catch(() => {});
  });

  return {
    /** Reads the slot. If that fails now, the game begins with no entries. */
    async load(): Promise<void> {
      await read().catch(() => {});
      isBegun = true;
    },
    isBegun: () => isBegun,
    get: (name: string) => entries.get(name),
    names: () => [...entries.keys()],
    /** Returns false if the entry does not fit. */
    set(name: string, value: string): boolean {
      if (entries.get(name) === value) return true;
      const after = without(name) + bytesOf(name, value);
      if (after > mostKeptBytes) return false;
      change({ isCleared: false, made: new Map([[name, value]]) }, after);
      return true;
    },
    remove: (name: string) => change({ isCleared: false, made: new Map([[name, null]]) }, without(name)),
    clear: () => change({ isCleared: true, made: new Map() }, 0),
  };
}

function changed(entries: Entries, { isCleared, made }: Changes): Entries {
  const all = new Map(isCleared ? [] : entries);
  for (const [key, value] of made) {
    if (value === null) all.delete(key);
    else all.set(key, value);
  }
  return all;
}

/** Merges two sets of changes; the later one wins. */
function over(earlier: Changes, later: Changes): Changes {
  if (later.isCleared) return later;
  return { isCleared: earlier.isCleared, made: new Map([...earlier.made, ...later.made]) };
}

/** Returns the bytes of an entry; 0 for a missing one. */
function bytesOf(key: string, value: string | undefined): number {
  return value === undefined ? 0 : keptBytes(key) + keptBytes(value) + 2;
}

/** Returns the content of the slot: JSON, or the same as bytes. */
function contentOf(entries: Entries): Record<string, string> | Uint8Array {
  const texts = Object.fromEntries(entries);
  const json = JSON.stringify(texts);
  return isOddJson(json) ? new TextEncoder().encode(json) : texts;
}

/** Returns the texts in a slot's content, which may be anything; other values are ignored. */
function textsOf(content: unknown): Entries {
  const found = content instanceof Uint8Array ? parsed(new TextDecoder().decode(content)) : content;
  if (typeof found !== 'object' || found === null) return new Map();
  return new Map(
    Object.entries(found).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
