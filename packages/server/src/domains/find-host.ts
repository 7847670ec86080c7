import type { Platform } from '../platform/context.ts';
import { KeptLookups } from '../platform/kept-lookups.ts';
import { within } from '../serving/within.ts';
import { findLiveDomain } from './domains.queries.ts';

/** The most entries. Unknown names are kept too, and clients may invent any number of them. */
const maxHosts = 20_000;
const waitMs = 900;
/** The form of `readDomainHost`. No space has another name, and a database may refuse to look for one. */
const hostName = /^[a-z0-9.-]{1,253}$/u;

interface Found {
  readonly slug: string | null;
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
  const known = new KeptLookups<Found>({ most: maxHosts });
  const asked = new Map<string, Promise<Found>>();
  const stop = database.announcements.listen('domain', (host) => {
    if (host === '*') {
      known.doubt(clock.now());
      asked.clear();
    } else {
      known.drop(host);
      asked.delete(host);
    }
  });

  function ask(host: string): Promise<Found> {
    const running = asked.get(host);
    if (running) return running;
    const lookedUpAt = clock.now();
    const question: Promise<Found> = findLiveDomain(database.db, host)
      .then((row) => {
        const found = { slug: row?.slug ?? null };
        // If a change was announced meanwhile, the result may lack it, and is not kept.
        if (asked.get(host) === question) known.set(host, found, lookedUpAt);
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
      const found = known.get(host, clock.now());
      if (found) return found.slug;
      try {
        return (await within(ask(host), waitMs)).slug;
      } catch (error) {
        // A look-up that takes too long is given up: the next request begins a new one.
        asked.delete(host);
        const last = known.failed(host, clock.now());
        if (last) return last.slug;
        throw error;
      }
    },
    close: stop,
  };
}
