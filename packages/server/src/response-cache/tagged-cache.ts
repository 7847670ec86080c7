import { LRUCache } from 'lru-cache';

/**
 * Values under keys, up to so many bytes, the least used first to go. Each has tags; dropping a tag drops its values, and
 * those that are being made meanwhile of what was there before.
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

  /** How many drops there were: what begins now has seen all of them. */
  get drops(): number {
    return this.#drops;
  }

  /** Bytes of all that is kept. */
  get bytes(): number {
    return this.#entries.calculatedSize;
  }

  get tagCount(): number {
    return this.#byTag.size;
  }

  /** What is kept and still good at this instant. */
  get(key: string, now: number): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (now >= entry.madeAt && now < entry.goodUntil) return entry.value;
    this.#entries.delete(key);
    return undefined;
  }

  /** Before the first look at what a value is made of. What is dropped from then on is noted until `end`. */
  begin(): Making<Tag> {
    const making = new Making<Tag>(() => this.#makings.delete(making));
    this.#makings.add(making);
    return making;
  }

  /** Keeps a value, unless something that it was made of was dropped meanwhile. */
  put(key: string, entry: Entry<Tag, Value>, making: Making<Tag>): void {
    if (making.firstDropOf(entry.tags) !== null) return;
    this.#entries.delete(key);
    this.#keep(key, entry);
  }

  /** A value has become larger. */
  grow(key: string, value: Value, by: number): void {
    const entry = this.#entries.peek(key);
    if (entry?.value !== value) return;
    this.#entries.delete(key);
    this.#keep(key, { ...entry, bytes: entry.bytes + by });
  }

  /** `kind:*` drops every tag of that kind. */
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
    // One that is too large is not taken.
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
  /** Epoch milliseconds; it is good from here … */
  readonly madeAt: number;
  /** … until then. */
  readonly goodUntil: number;
}

/** So many different drops are told apart while something is made; beyond, everything counts as dropped. */
const maxNoted = 10_000;

/** Something that is being made, with what was dropped since it began. */
export class Making<Tag extends string> {
  /** Ends the notes. */
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

  /** The number of the first drop that any of these met; null for none. */
  firstDropOf(tags: readonly Tag[]): number | null {
    const drops = tags.flatMap((tag) => {
      const kind = tag.slice(0, tag.indexOf(':') + 1);
      return [this.#noted.get(tag), this.#noted.get(`${kind}*`)];
    });
    const met = [this.#all ?? undefined, ...drops].filter((drop) => drop !== undefined);
    return met.length === 0 ? null : Math.min(...met);
  }
}
