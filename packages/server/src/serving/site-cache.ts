import { LRUCache } from 'lru-cache';
import type { FileAnswer } from './file-answer.ts';
import type { ServingContext, SiteAtHost } from './site.ts';

type Kind = 'play' | 'preview';

/** A label's site as it is kept between requests. */
export interface ServedSite {
  readonly found: SiteAtHost;
  readonly lookedUpAt: number;
  /** Answers that were made already, by the decoded path (`/a/b.js`). */
  readonly answers: Map<string, FileAnswer>;
}

/** Announcements empty the cache at once. This bounds the harm of a lost one. */
const freshMilliseconds = 30_000;
/** At most so many manifest rows are kept, of a few hundred bytes each, and so many labels, known or unknown. */
const maxRows = 150_000;
const maxLabels = 20_000;

/** Sites by label. Lookups of one label are made once for all who wait; none started before a `forget` is kept. */
export class SiteCache {
  readonly #context: Pick<ServingContext, 'findSite' | 'now'>;
  readonly #sites = {
    play: newCache(),
    preview: newCache(),
  };
  readonly #pending = { play: new Map<string, Promise<ServedSite>>(), preview: new Map() };
  /** Versions that were asked for by number, each for as long as what its label serves is kept. */
  readonly #versions = newCache<KeptVersion>();

  constructor(context: Pick<ServingContext, 'findSite' | 'now'>) {
    this.#context = context;
  }

  /** What is kept of a label, if it is young enough. If the clock went back it counts as old. */
  fresh(kind: Kind, label: string, now: number): ServedSite | undefined {
    const served = this.#sites[kind].get(label);
    if (served === undefined) return undefined;
    const age = now - served.lookedUpAt;
    return age >= 0 && age < freshMilliseconds ? served : undefined;
  }

  /** Asks the database. Rejects as `findSite` does. */
  lookUp(kind: Kind, label: string): Promise<ServedSite> {
    const pending: Map<string, Promise<ServedSite>> = this.#pending[kind];
    const running = pending.get(label);
    if (running) return running;
    const lookup: Promise<ServedSite> = this.#ask(kind, label).then(
      (served) => {
        if (pending.get(label) === lookup) {
          pending.delete(label);
          this.#sites[kind].set(label, served);
        }
        return served;
      },
      (error: unknown) => {
        if (pending.get(label) === lookup) pending.delete(label);
        throw error;
      },
    );
    pending.set(label, lookup);
    return lookup;
  }

  async #ask(kind: Kind, label: string, number?: number): Promise<ServedSite> {
    // The age counts from the start of the query: its answer may lack a change that was announced meanwhile.
    const lookedUpAt = this.#context.now();
    const found = await this.#context.findSite(kind, label, number);
    return { found, lookedUpAt, answers: new Map() };
  }

  /** What is kept of a version of the space at a label that serves `live`: all of it until its end, then what remains. */
  version(label: string, number: number, live: ServedSite, now: number): ServedSite | undefined {
    const kept = this.#versions.get(versionKey(label, number));
    if (kept?.of !== live || kept.found.is !== 'site') return undefined;
    const isOver = !kept.found.remains && !isServed(live, number, now);
    return isOver ? undefined : kept.served;
  }

  /** Asks the database for a version by its number. Rejects as `findSite` does. */
  async lookUpVersion(label: string, number: number, live: ServedSite): Promise<ServedSite> {
    const key = versionKey(label, number);
    const pending: Map<string, Promise<ServedSite>> = this.#pending.play;
    const running = pending.get(key) ?? this.#ask('play', label, number);
    pending.set(key, running);
    try {
      const served = await running;
      const { found } = served;
      // It is live again, or not served any more, and this node has not heard of it yet.
      if (isWhole(served) !== isServed(live, number, served.lookedUpAt)) this.forget('play', label);
      // Numbers that clients make up have no end.
      else if (found.is === 'site') this.#versions.set(key, { of: live, served, found });
      return served;
    } finally {
      if (pending.get(key) === running) pending.delete(key);
    }
  }

  /** Whether this is what is kept of a label. */
  isKept(label: string, live: ServedSite): boolean {
    return this.#sites.play.peek(label) === live;
  }

  abandonVersion(label: string, number: number): void {
    this.#pending.play.delete(versionKey(label, number));
  }

  /** Gives up a look-up that takes too long, so that the next request asks anew. */
  abandon(kind: Kind, label: string): void {
    this.#pending[kind].delete(label);
  }

  forget(kind: Kind, label: string): void {
    this.#pending[kind].delete(label);
    for (const key of this.#pending.play.keys())
      if (key.startsWith(versionKey(label, ''))) this.#pending.play.delete(key);
    this.#sites[kind].delete(label);
  }

  forgetAll(): void {
    this.#versions.clear();
    for (const kind of ['play', 'preview'] as const) {
      this.#pending[kind].clear();
      this.#sites[kind].clear();
    }
  }
}

interface KeptVersion {
  /** What the label served when it was looked up: with that it is dropped. */
  readonly of: ServedSite;
  readonly served: ServedSite;
  readonly found: SiteAtHost;
}

/** No label has a `~`. */
function versionKey(label: string, number: number | ''): string {
  return `${label}~${number}`;
}

/** Whether all of a version is served, and not only what remains of it. */
export function isWhole({ found }: ServedSite): boolean {
  return found.is === 'site' && !found.remains;
}

/** Whether the version of a number is served, as far as is known here. */
export function isServed({ found }: ServedSite, number: number, now: number): boolean {
  return found.is === 'site' && (found.numbers?.get(number) ?? Number.NEGATIVE_INFINITY) > now;
}

/** Counts a label as so many rows at least: with `max` in its place the memory of all labels would be taken at once. */
const rowsOfLabel = Math.ceil(maxRows / maxLabels);

function newCache<Kept extends { readonly found: SiteAtHost } = ServedSite>(): LRUCache<string, Kept> {
  return new LRUCache({
    maxSize: maxRows,
    sizeCalculation: ({ found }) => {
      const rows = found.is === 'site' ? Math.min(found.site.files.size + 1, maxRows) : 0;
      return Math.max(rows, rowsOfLabel);
    },
  });
}
