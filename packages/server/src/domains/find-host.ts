import { LRUCache } from 'lru-cache';
import type { Platform } from '../platform/context.ts';
import { within } from '../serving/within.ts';
import { findLiveDomain } from './domains.queries.ts';

/** Announcements empty the cache at once. This bounds the harm of a lost one. */
const freshMs = 30_000;
/** Also of names that nobody has, which a client may invent. */
const maxHosts = 20_000;
const waitMs = 900;

interface Found {
  readonly slug: string | null;
  readonly lookedUpAt: number;
}

export interface OwnHosts {
  /** The slug of the space whose host it is; null for nobody's. Throws where the database does not answer. */
  find(host: string): Promise<string | null>;
  close(): void;
}

/** Which space a host name of its own leads to, remembered for a while. */
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
        // What was announced meanwhile is not in it.
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
      const found = known.get(host);
      if (found && Math.abs(clock.now() - found.lookedUpAt) < freshMs) return found.slug;
      try {
        return (await within(ask(host), waitMs)).slug;
      } catch (error) {
        // One that takes too long is given up: the next request asks anew.
        asked.delete(host);
        // While the database is away a host stays whose it was.
        if (found) return found.slug;
        throw error;
      }
    },
    close: stop,
  };
}
