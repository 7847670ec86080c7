import type { LRUCache } from 'lru-cache';
import { newestOf } from '../limits/newest-of.ts';
import type { Announcements } from './announcements.ts';
import type { Database } from './database.ts';
import type { Db } from './schema.ts';
import { type ShownTag, shownThing } from './shown.ts';

const mostKept = 2_000;
/** An announcement drops what has changed at once; the age limits the harm of a lost one. */
const ageMs = 3_000;

type Tag<Kind extends string> = Extract<ShownTag, `${Kind}:${string}`>;

interface KeptReadOptions<Kind extends string, Key extends string, Found> {
  /** The kind of the tags. */
  readonly kind: Kind;
  readonly read: (db: Db, key: Key) => Promise<Found | undefined>;
  /** Returns the tag of everything that the read depends on. */
  readonly tagOf: (found: Found) => Tag<Kind>;
}

/** Keeps what a read finds in memory until its tag is announced. That it finds nothing is not kept. */
export function keptRead<Kind extends string, Key extends string, Found extends object>(
  options: KeptReadOptions<Kind, Key, Found>,
): (database: Pick<Database, 'db' | 'announcements'>, key: Key) => Promise<Found | undefined> {
  const all = new WeakMap<Announcements, Kept<Kind, Key, Found>>();
  return ({ db, announcements }, key) => {
    let kept = all.get(announcements);
    if (!kept) {
      kept = new Kept(announcements, options);
      all.set(announcements, kept);
    }
    return kept.find(db, key);
  };
}

class Kept<Kind extends string, Key extends string, Found extends object> {
  readonly #found: LRUCache<string, { readonly found: Found; readonly until: number }> = newestOf(mostKept);
  readonly #announcements: Announcements;
  readonly #options: KeptReadOptions<Kind, Key, Found>;
  /** Counts changes: a read that began before a change is not kept after it. */
  #changes = 0;

  constructor(announcements: Announcements, options: KeptReadOptions<Kind, Key, Found>) {
    this.#announcements = announcements;
    this.#options = options;
    announcements.listen(shownThing, (tag) => this.#drop(tag));
  }

  async find(db: Db, key: Key): Promise<Found | undefined> {
    const known = this.#announcements.isDeaf ? undefined : this.#found.get(key);
    if (known && performance.now() < known.until) return known.found;
    const changesBefore = this.#changes;
    const until = performance.now() + ageMs;
    const found = await this.#options.read(db, key);
    if (found && changesBefore === this.#changes) this.#found.set(key, { found, until });
    return found;
  }

  #drop(tag: string): void {
    const { kind, tagOf } = this.#options;
    const isAll = tag === '*' || tag === `${kind}:*`;
    if (!isAll && !tag.startsWith(`${kind}:`)) return;
    this.#changes += 1;
    if (isAll) this.#found.clear();
    else
      for (const [key, { found }] of this.#found.entries()) if (tagOf(found) === tag) this.#found.delete(key);
  }
}
