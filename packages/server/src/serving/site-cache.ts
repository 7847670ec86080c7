import { unlistedPrefix } from '@spaceport/contract/content-labels';
import { LRUCache } from 'lru-cache';
import { KeptLookups } from '../platform/kept-lookups.ts';
import type { FileAnswer } from './file-answer.ts';
import type { ServingContext, SiteAtHost } from './site.ts';

type Kind = 'play' | 'preview';

/** The site of a label, as it is kept between requests. */
export interface ServedSite {
  readonly found: SiteAtHost;
  readonly lookedUpAt: number;
  /** The answers that were made so far, by the decoded path (`/a/b.js`). */
  readonly answers: Map<string, FileAnswer>;
  /** The same as WebKit gets it; null if that differs in nothing. */
  readonly forWebKit: ServedSite | null;
}

/** The most manifest rows (a few hundred bytes each) and labels (known or unknown) that are kept. */
const maxRows = 150_000;
const maxLabels = 20_000;

/**
 * A cache of sites by label. A look-up of one label is made once for all who wait. A look-up that began
 * before a `forget` is not kept.
 */
export class SiteCache {
  readonly #context: Pick<ServingContext, 'findSite' | 'now'>;
  readonly #sites = {
    play: new KeptLookups<ServedSite>({ size: maxRows, sizeOf: rowsOf }),
    preview: new KeptLookups<ServedSite>({ size: maxRows, sizeOf: rowsOf }),
  };
  readonly #pending = { play: new Map<string, Promise<ServedSite>>(), preview: new Map() };
  /** Versions that were requested by number. Each is kept for as long as the site of its label. */
  readonly #versions = new LRUCache<string, KeptVersion>({ maxSize: maxRows, sizeCalculation: rowsOf });

  constructor(context: Pick<ServingContext, 'findSite' | 'now'>) {
    this.#context = context;
  }

  /** Returns the kept site of a label, if it needs no look-up. */
  fresh(kind: Kind, label: string, now: number): ServedSite | undefined {
    return this.#sites[kind].get(label, now);
  }

  /**
   * Looks the site up in the database.
   * @throws the errors of `findSite`
   */
  lookUp(kind: Kind, label: string): Promise<ServedSite> {
    const pending: Map<string, Promise<ServedSite>> = this.#pending[kind];
    const running = pending.get(label);
    if (running) return running;
    const lookup: Promise<ServedSite> = this.#ask(kind, label).then(
      (served) => {
        if (pending.get(label) === lookup) {
          pending.delete(label);
          this.#sites[kind].set(label, served, served.lookedUpAt);
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
    // The age counts from the start of the query: its result may lack a change that was announced meanwhile.
    const lookedUpAt = this.#context.now();
    const found = await this.#context.findSite(kind, label, number);
    const served = { found, lookedUpAt, answers: new Map(), forWebKit: null };
    if (found.is !== 'site' || !found.site.isolated) return served;
    const strictly = { ...found, isolatedBy: 'require-corp' } as const;
    return { ...served, forWebKit: { ...served, found: strictly, answers: new Map() } };
  }

  /**
   * Returns the kept version of the space at a label that serves `live`: the whole version until its end,
   * then what remains.
   */
  version(label: string, number: number, live: ServedSite, now: number): ServedSite | undefined {
    const kept = this.#versions.get(versionKey(label, number));
    if (kept?.of !== live || kept.found.is !== 'site') return undefined;
    const isOver = !kept.found.remains && !isServed(live, number, now);
    return isOver ? undefined : kept.served;
  }

  /**
   * Looks a version up by its number in the database.
   * @throws the errors of `findSite`
   */
  async lookUpVersion(label: string, number: number, live: ServedSite): Promise<ServedSite> {
    const key = versionKey(label, number);
    const pending: Map<string, Promise<ServedSite>> = this.#pending.play;
    const running = pending.get(key) ?? this.#ask('play', label, number);
    pending.set(key, running);
    try {
      const served = await running;
      const { found } = served;
      // The version is live again, or no longer served, and this node has not heard of it yet.
      if (isWhole(served) !== isServed(live, number, served.lookedUpAt)) this.forget('play', label);
      // Unknown versions are not kept: clients can invent any number of them.
      else if (found.is === 'site') this.#versions.set(key, { of: live, served, found });
      return served;
    } finally {
      if (pending.get(key) === running) pending.delete(key);
    }
  }

  /** Returns whether this is the kept site of a label. */
  isKept(label: string, live: ServedSite): boolean {
    return this.#sites.play.peek(label) === live;
  }

  abandonVersion(label: string, number: number): void {
    this.#pending.play.delete(versionKey(label, number));
  }

  /**
   * Gives up a look-up that failed or takes too long, so that a later request begins a new one. Returns the site to
   * serve instead, as it was last known. Who opens a preview can wait: its link may have been withdrawn.
   */
  giveUp(kind: Kind, label: string): ServedSite | undefined {
    this.#pending[kind].delete(label);
    const isForPlayers = kind === 'play' || label.startsWith(unlistedPrefix);
    return isForPlayers ? this.#sites[kind].failed(label, this.#context.now()) : undefined;
  }

  forget(kind: Kind, label: string): void {
    this.#pending[kind].delete(label);
    for (const key of this.#pending.play.keys())
      if (key.startsWith(versionKey(label, ''))) this.#pending.play.delete(key);
    this.#sites[kind].drop(label);
  }

  /** Call it when announcements may have been missed. */
  doubtAll(): void {
    for (const kind of ['play', 'preview'] as const) {
      this.#pending[kind].clear();
      this.#sites[kind].doubt(this.#context.now());
    }
  }
}

interface KeptVersion {
  /** The site of the label at the time of the look-up. This entry is dropped with it. */
  readonly of: ServedSite;
  readonly served: ServedSite;
  readonly found: SiteAtHost;
}

/** Labels never contain a `~`. */
function versionKey(label: string, number: number | ''): string {
  return `${label}~${number}`;
}

/** Returns whether all of a version is served, and not only what remains of it. */
export function isWhole({ found }: ServedSite): boolean {
  return found.is === 'site' && !found.remains;
}

/** Returns whether the version with this number is served, as far as this node knows. */
export function isServed({ found }: ServedSite, number: number, now: number): boolean {
  return found.is === 'site' && (found.numbers?.get(number) ?? Number.NEGATIVE_INFINITY) > now;
}

/**
 * The fewest rows that a label counts as. With `max` in its place, the cache would allocate the memory of all
 * labels at once.
 */
const rowsOfLabel = Math.ceil(maxRows / maxLabels);

function rowsOf({ found }: { readonly found: SiteAtHost }): number {
  const rows = found.is === 'site' ? Math.min(found.site.files.size + 1, maxRows) : 0;
  return Math.max(rows, rowsOfLabel);
}
