import type { VersionRead } from '@spaceport/contract/versions';
import { LRUCache } from 'lru-cache';
import type { Platform } from '../platform/context.ts';
import type { VersionId } from '../platform/db/ids.ts';
import type { SpaceRow } from '../spaces/spaces.ts';

/** What the status read answers of a version, and of which space it is. */
export interface Status {
  readonly space: Pick<SpaceRow, 'id' | 'owner_id' | 'slug'>;
  readonly read: VersionRead;
  /** `read` as it is sent. */
  readonly json: string;
  /** The instant from which it has to be looked up again, because a link in it ends; null for never. */
  readonly endsAt: number | null;
}

export interface StatusCache {
  /** The cached answer of the version, else what `lookUp` finds. */
  find(id: VersionId, lookUp: () => Promise<Status>): Promise<Status>;
  close(): void;
}

const rememberedBytes = 16 * 1024 * 1024;
/** What an entry takes beside its answer, which is kept as an object and as text. */
const entryBytes = 1024;
/** An announcement drops a changed answer at once; the age limits the harm of a lost announcement. */
const ageMs = 3_000;

/**
 * Keeps answers of the status read, which clients poll. Whatever changes one announces `version` with the version's id,
 * or `space` with the slug for all of a space's: before the change is acknowledged on this node, soon after it on others.
 */
export function createStatusCache({ database, clock }: Pick<Platform, 'database' | 'clock'>): StatusCache {
  const cache = new LRUCache<string, Status>({
    maxSize: rememberedBytes,
    sizeCalculation: ({ json }) => entryBytes + 4 * json.length,
    ttl: ageMs,
  });
  // A look-up that was under way while something changed must not put back what was before.
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
  return {
    async find(id, lookUp) {
      const known = cache.get(id);
      if (known && (known.endsAt === null || known.endsAt > clock.now())) return known;
      const changesBefore = changes;
      const status = await lookUp();
      // Its missing files arrive by the dozen, and nobody announces them.
      if (status.read.status !== 'uploading' && changes === changesBefore) cache.set(id, status);
      return status;
    },
    close() {
      for (const stop of stops) stop();
    },
  };
}
