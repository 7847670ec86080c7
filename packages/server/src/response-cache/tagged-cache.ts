import { LRUCache } from 'lru-cache';

/**
 * A cache of values by key, up to a number of bytes; the least recently used go first. Each value has tags.
 * Dropping a tag drops its values, and prevents values that are being made from old data from being kept.
 */
export class TaggedCache<Tag extends string, Value extends object> {
  readonly #entries: LRUCache<string, Entry<Tag, Value>>;
  readonly #byTag = new Map<Tag, Set<string>>();
  readonly #makings = new Set<Making<Tag>>();
  #drops = 0;

  constructor(maxBytes: number) {
    this.#entries = new LRUCache({
      maxSize: Math.max(1, maxBytes),
      maxEntrySize: Math.max(1, Math.floor(maxBytes / 4)),
      sizeCalculation: ({ bytes }) => bytes,
      dispose: (entry, key) => this.#unlink(key, entry.tags),
    });
  }

  /** The number of drops so far. A value that begins now has seen all of them. */
  get drops(): number {
    return this.#drops;
  }

  /** The bytes of all values. */
  get bytes(): number {
    return this.#entries.calculatedSize;
  }

  get tagCount(): number {
    return this.#byTag.size;
  }

  /** Returns a kept value if it may be used at this instant. */
  get(key: string, now: number): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (now >= entry.madeAt && now < entry.goodUntil) return entry.value;
    this.#entries.delete(key);
    return undefined;
  }

  /** Call it before the data of a value is first read. Drops from then on are noted until `end`. */
  begin(): Making<Tag> {
    const making = new Making<Tag>(() => this.#makings.delete(making));
    this.#makings.add(making);
    return making;
  }

  /** Keeps a value, unless one of its tags was dropped while it was made. */
  put(key: string, entry: Entry<Tag, Value>, making: Making<Tag>): void {
    if (making.firstDropOf(entry.tags) !== null) return;
    this.#entries.delete(key);
    this.#keep(key, entry);
  }

  /** Adds to the bytes of a value that has become larger. */
  grow(key: string, value: Value, by: number): void {
    const entry = this.#entries.peek(key);
    if (entry?.value !== value) return;
    this.#entries.delete(key);
    this.#keep(key, { ...entry, bytes: entry.bytes + by });
  }

  /** Drops a tag. `kind:*` drops every tag of that kind. */
  drop(tag: Tag | `${string}:*`): void {
    this.#drops++;
    for (const making of this.#makings) making.note(tag, this.#drops);
    if (tag.endsWith(':*')) {
      const kind = tag.slice(0, -1);
      for (const each of [...this.#byTag.keys()]) if (each.startsWith(kind)) this.#dropKeys(each);
    } else this.#dropKeys(tag as Tag);
  }

  dropAll(): void {
    this.#drops++;
    for (const making of this.#makings) making.noteAll(this.#drops);
    this.#entries.clear();
  }

  #keep(key: string, entry: Entry<Tag, Value>): void {
    this.#entries.set(key, entry);
    // A value that is too large is not kept.
    if (this.#entries.has(key)) this.#link(key, entry.tags);
  }

  #dropKeys(tag: Tag): void {
    for (const key of this.#byTag.get(tag) ?? []) this.#entries.delete(key);
  }

  #link(key: string, tags: readonly Tag[]): void {
    for (const tag of tags) {
      const keys = this.#byTag.get(tag);
      if (keys) keys.add(key);
      else this.#byTag.set(tag, new Set([key]));
    }
  }

  #unlink(key: string, tags: readonly Tag[]): void {
    for (const tag of tags) {
      const keys = this.#byTag.get(tag);
      keys?.delete(key);
      if (keys?.size === 0) this.#byTag.delete(tag);
    }
  }
}

export interface Entry<Tag, Value> {
  readonly value: Value;
  readonly tags: readonly Tag[];
  readonly bytes: number;
  /** Epoch milliseconds. The value is good from here … */
  readonly madeAt: number;
  /** … until then. */
  readonly goodUntil: number;
}

/** How many different drops are noted while a value is made. Beyond that, everything counts as dropped. */
const maxNoted = 10_000;

/** A value that is being made, with the tags that were dropped since it began. */
export class Making<Tag extends string> {
  /** Stops noting drops. */
  readonly end: () => void;
  readonly #noted = new Map<string, number>();
  #all: number | null = null;

  constructor(end: () => void) {
    this.end = end;
  }

  note(tag: string, drop: number): void {
    if (!this.#noted.has(tag)) this.#noted.set(tag, drop);
    if (this.#noted.size <= maxNoted) return;
    const [first = drop] = this.#noted.values();
    this.#noted.clear();
    this.noteAll(first);
  }

  noteAll(drop: number): void {
    this.#all = Math.min(this.#all ?? drop, drop);
  }

  /** Returns the number of the first drop of any of these tags; null if there was none. */
  firstDropOf(tags: readonly Tag[]): number | null {
    const drops = tags.flatMap((tag) => {
      const kind = tag.slice(0, tag.indexOf(':') + 1);
      return [this.#noted.get(tag), this.#noted.get(`${kind}*`)];
    });
    const met = [this.#all ?? undefined, ...drops].filter((drop) => drop !== undefined);
    return met.length === 0 ? null : Math.min(...met);
  }
}
