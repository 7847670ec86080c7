import { LRUCache } from 'lru-cache';
import type { Platform } from '../platform/context.ts';
import { within } from '../serving/within.ts';
import { findLiveDomain } from './domains.queries.ts';

/** Announcements drop entries at once. This limits the effect of a lost one. */
const freshMs = 30_000;
/** The most entries. Unknown names are kept too, and clients may invent any number of them. */
const maxHosts = 20_000;
const waitMs = 900;
/** The form of `readDomainHost`. No space has another name, and a database may refuse to look for one. */
const hostName = /^[a-z0-9.-]{1,253}$/u;

interface Found {
  readonly slug: string | null;
  readonly lookedUpAt: number;
}

export interface OwnHosts {
  /**
   * Returns the slug of the space that has the host; null if none has.
   * @throws if the database does not answer
   */
  find(host: string): Promise<string | null>;
  close(): void;
}

/** Opens the look-up of spaces by their own host names. Results are kept for a while. */
export function openOwnHosts({ config, database, clock }: Platform): OwnHosts {
  if (!config.CUSTOM_DOMAINS) return { find: async () => null, close: () => {} };
  const known = new LRUCache<string, Found>({ max: maxHosts });
  const asked = new Map<string, Promise<Found>>();
  const stop = database.announcements.listen('domain', (host) => {
    known.delete(host);
    asked.delete(host);
  });

  function ask(host: string): Promise<Found> {
    const running = asked.get(host);
    if (running) return running;
    const lookedUpAt = clock.now();
    const question: Promise<Found> = findLiveDomain(database.db, host)
      .then((row) => ({ slug: row?.slug ?? null, lookedUpAt }))
      .then((found) => {
        // If a change was announced meanwhile, the result may lack it, and is not kept.
        if (asked.get(host) === question) known.set(host, found);
        return found;
      })
      .finally(() => {
        if (asked.get(host) === question) asked.delete(host);
      });
    asked.set(host, question);
    return question;
  }

  return {
    async find(host) {
      if (!hostName.test(host)) return null;
      const found = known.get(host);
      if (found && Math.abs(clock.now() - found.lookedUpAt) < freshMs) return found.slug;
      try {
        return (await within(ask(host), waitMs)).slug;
      } catch (error) {
        // A look-up that takes too long is given up: the next request begins a new one.
        asked.delete(host);
        // While the database is down, the last known result is used.
        if (found) return found.slug;
        throw error;
      }
    },
    close: stop,
  };
}
