import type { VersionRead } from '@spaceport/contract/versions';
import { LRUCache } from 'lru-cache';
import type { Platform } from '../platform/context.ts';
import type { VersionId } from '../platform/db/ids.ts';
import type { Soon } from '../platform/when-known.ts';
import type { SpaceRow } from '../spaces/spaces.ts';

/** The answer of the status read for a version, and the space of the version. */
export interface Status {
  readonly space: Pick<SpaceRow, 'id' | 'owner_id' | 'slug'>;
  readonly read: VersionRead;
  /** `read` as the JSON text that is sent. */
  readonly json: string;
  /**
   * The instant in epoch milliseconds from which the status has to be looked up again, because a link in it
   * ends; null for never.
   */
  readonly endsAt: number | null;
}

export interface StatusCache {
  /** Returns the cached answer for the version at once, else the result of `lookUp`. */
  find(id: VersionId, lookUp: () => Promise<Status>): Soon<Status>;
  close(): void;
}

const rememberedBytes = 16 * 1024 * 1024;
/** The bytes of an entry besides its answer, which is kept as an object and as text. */
const entryBytes = 1024;
/** An announcement drops a changed answer at once; the maximum age limits the harm of a lost announcement. */
const ageMs = 3_000;

/**
 * Caches the answers of the status read, which clients poll. Every change of an answer announces `version`
 * with the version's id, or `space` with the slug for all versions of a space. The announcement arrives
 * before the change is acknowledged on this node, and soon after it on others.
 */
export function createStatusCache({ database, clock }: Pick<Platform, 'database' | 'clock'>): StatusCache {
  const cache = new LRUCache<string, Status>({
    maxSize: rememberedBytes,
    sizeCalculation: ({ json }) => entryBytes + 4 * json.length,
    ttl: ageMs,
  });
  // Counts changes, so that a look-up that began before a change is not cached after it.
  let changes = 0;
  const stops = [
    database.announcements.listen('version', (id) => {
      changes += 1;
      if (id === '*') cache.clear();
      else cache.delete(id);
    }),
    database.announcements.listen('space', (slug) => {
      changes += 1;
      for (const [id, { space }] of cache.entries())
        if (slug === '*' || space.slug === slug) cache.delete(id);
    }),
  ];
  async function findAnew(id: VersionId, lookUp: () => Promise<Status>): Promise<Status> {
    const changesBefore = changes;
    const status = await lookUp();
    // The missing files of an upload change often, and those changes are not announced.
    if (status.read.status !== 'uploading' && changes === changesBefore) cache.set(id, status);
    return status;
  }

  return {
    find(id, lookUp) {
      const known = cache.get(id);
      if (known && (known.endsAt === null || known.endsAt > clock.now())) return known;
      return findAnew(id, lookUp);
    },
    close() {
      for (const stop of stops) stop();
    },
  };
}
