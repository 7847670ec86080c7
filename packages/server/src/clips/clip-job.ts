import { dropUnnamed } from '../platform/blobs/drop-unnamed.ts';
import { attemptsWithBrowser } from '../platform/browser/attempts.ts';
import type { BrowserPool } from '../platform/browser/pool.ts';
import { type Picture, pictureSize, type Visit } from '../platform/browser/visit.ts';
import type { Platform } from '../platform/context.ts';
import { givenId, type SpaceId, type VersionId } from '../platform/db/ids.ts';
import type { Tx } from '../platform/db/tx.ts';
import type { JobKind, LeasedJob } from '../platform/jobs/queue.ts';
import type { Site } from '../serving/site.ts';
import type { VisitSite } from '../serving/visit-site.ts';
import { clipJob, recordClip, renewClip } from '../spaces/clips.ts';
import { findSpaceById, lockSpace } from '../spaces/spaces.ts';
import { deleteTakes, insertClip, listTakes } from './clips.queries.ts';
import { storePicture, takePath } from './pictures.ts';

/**
 * The page that players of a space see. The composition root provides it, because versions/ imports clips/.
 */
export type PageToShow =
  | { readonly is: 'listed'; readonly url: string }
  | { readonly is: 'hosted'; readonly slug: string; readonly site: Site; readonly startsByClick: boolean };

export interface ClipTools {
  readonly browsers: BrowserPool;
  readonly visitSite: VisitSite;
  /** Returns null if nobody may see anything of the space now. */
  readonly findPage: (spaceId: SpaceId) => Promise<PageToShow | null>;
}

const keptTakes = 3;
const loadMs = 20_000;
const pictureMs = 8_000;
/** A page elsewhere may load as much as a player would wait for. */
const listedBytes = 256 * 1024 * 1024;
const jobSeconds = 150;

/**
 * Creates the job that takes the picture of a space's page as players see it. If the page is blank or does
 * not answer, the earlier picture stays, and the job has not failed.
 */
export function createClipJob(platform: Platform, { browsers, visitSite, findPage }: ClipTools): JobKind {
  const { database, store, log } = platform;
  return {
    kind: clipJob,
    timeoutSeconds: jobSeconds,
    maxAttempts: attemptsWithBrowser,
    concurrency: 1,
    async run(job) {
      const space = await findSpaceById(database.db, givenId('spc', job.ref));
      const page = space && (await findPage(space.id));
      if (!page || !(await browsers.isAvailable())) return;
      const take = space.takes;
      const afterMs = space.clip_after_seconds * 1000;
      const visit = await visitPage(page, { browsers, visitSite, afterMs }, job.signal);
      // A card with its own colours says more than a blank picture.
      const picture = visit.picture?.isPlain ? null : visit.picture;
      if (picture === null) {
        log.info(
          { space: space.slug, take, end: visit.end, detail: visit.detail },
          'nothing to take a picture of',
        );
      }
      const versionId = page.is === 'hosted' ? page.site.versionId : null;
      await keep(platform, job, { take, versionId, picture });
    },
  };

  async function keep(
    { clock }: Platform,
    job: LeasedJob,
    taken: { take: number; versionId: VersionId | null; picture: Picture | null },
  ): Promise<void> {
    const spaceId = givenId('spc', job.ref);
    const keys = taken.picture && {
      key: await storePicture(store, taken.picture.large),
      key_small: await storePicture(store, taken.picture.small),
    };
    const unused = await database.transaction(async (tx) => {
      // The space is locked before the job, as everywhere: a request for a picture locks it
      // before it touches the job.
      const space = await lockSpace(tx, spaceId);
      await job.confirmLease(tx);
      if (!space) return keys === null ? [] : [keys.key, keys.key_small];
      // Another picture was requested while this one was taken, because this one may show something else.
      await renewClip(tx, spaceId, taken.take);
      if (keys === null) return [];
      const clip = { ...taken, ...keys, takenAt: clock.now() };
      const { unused, shown } = await record(tx, spaceId, clip);
      // The status read names the take that shows a version.
      for (const versionId of shown) tx.announce('version', versionId);
      return unused;
    });
    await dropUnnamed(store, unused);
  }
}

function visitPage(
  page: PageToShow,
  { browsers, visitSite, afterMs }: Omit<ClipTools, 'findPage'> & { readonly afterMs: number },
  signal: AbortSignal,
): Promise<Visit> {
  const request = { loadMs, afterMs, pictureMs, watchMs: 0, readsDocuments: false };
  if (page.is === 'hosted') {
    return visitSite(page, { ...request, staysOnHost: true, clicksWhenBlank: page.startsByClick }, signal);
  }
  return browsers.visit(
    {
      ...request,
      url: page.url,
      mapped: null,
      // The address may redirect: listing has followed it before.
      staysOnHost: false,
      clicksWhenBlank: false,
      maxBytes: listedBytes,
    },
    signal,
  );
}

interface TakenClip {
  readonly take: number;
  readonly versionId: VersionId | null;
  readonly key: string;
  readonly key_small: string;
  readonly takenAt: number;
}

/** The keys of takes that are no longer shown, and the versions that have gained or lost a take. */
interface Recorded {
  readonly unused: string[];
  readonly shown: string[];
}

/** Makes the take the space's picture. */
async function record(tx: Tx, spaceId: SpaceId, clip: TakenClip): Promise<Recorded> {
  const { take, takenAt } = clip;
  const before = await listTakes(tx.db, spaceId);
  // The job ran twice, and the first run has used the number.
  if (before.some((one) => one.take === take)) return { unused: [clip.key, clip.key_small], shown: [] };
  await insertClip(tx, {
    space_id: spaceId,
    take,
    key: clip.key,
    key_small: clip.key_small,
    version_id: clip.versionId,
    taken_at: takenAt,
  });
  await recordClip(tx, spaceId, { path: takePath(spaceId, take), ...pictureSize, take, takenAt });
  const old = before.slice(keptTakes - 1);
  if (old.length > 0) {
    const takes = old.map((one) => one.take);
    await deleteTakes(tx, spaceId, takes);
  }
  return {
    unused: old.flatMap(({ key, key_small }) => [key, key_small]),
    shown: [clip.versionId, ...old.map(({ version_id }) => version_id)].filter((id) => id !== null),
  };
}
