import type { Platform } from '../platform/context.ts';
import { givenId, type SpaceId } from '../platform/db/ids.ts';
import { toJson } from '../platform/db/json.ts';
import type { Tx } from '../platform/db/tx.ts';
import { ServiceError } from '../platform/errors.ts';
import type { JobKind } from '../platform/jobs/queue.ts';
import { findSpaceById, lockSpace, type SpaceRow } from '../spaces/spaces.ts';
import { type ReadBlock, readBoardsBlock } from './boards-block.ts';
import { openListedPage } from './open-page.ts';
import { writePageLook } from './page-declarations.queries.ts';
import { declareByPage } from './page-declarations.ts';
import type { PageHead } from './page-head.ts';

const pageSyncJob = 'page-sync';
const dayMs = 24 * 3_600_000;

/** Schedules the next look at the page of a listed space. Every look schedules the one of the next day. */
export async function requestPageSync(tx: Tx, spaceId: SpaceId, at: number): Promise<void> {
  await tx.enqueue(pageSyncJob, spaceId, at);
}

/**
 * Writes the declarations of a listed page, and schedules tomorrow's look. A bad block changes only the
 * warning; a page without a block declares nothing new. The caller has locked the space.
 */
export async function syncPage(
  tx: Tx,
  spaceId: SpaceId,
  { boardsBlock }: Pick<PageHead, 'boardsBlock'>,
): Promise<void> {
  const read = boardsBlock === null ? null : await declare(tx, spaceId, boardsBlock);
  const look = {
    ...(read?.is === 'good' ? { declared: toJson(read.block) } : {}),
    warning: read?.is === 'bad' ? read.warning : null,
    synced_at: tx.now,
  };
  await writePageLook(tx, spaceId, look);
  await requestPageSync(tx, spaceId, tx.now + dayMs);
}

async function declare(tx: Tx, spaceId: SpaceId, boardsBlock: string): Promise<ReadBlock> {
  const read = readBoardsBlock(boardsBlock);
  const warning = read.is === 'good' ? await declareByPage(tx, spaceId, read.block) : null;
  return warning === null ? read : { is: 'bad', warning };
}

/** Creates the job that opens listed pages daily, and when a recapture asks for it. */
export function createPageSyncJob(platform: Platform): JobKind {
  const { database } = platform;
  const tomorrow = (tx: Tx, spaceId: SpaceId) => requestPageSync(tx, spaceId, tx.now + dayMs);
  return {
    kind: pageSyncJob,
    timeoutSeconds: 60,
    maxAttempts: 3,
    concurrency: 4,
    async run(job) {
      const space = await findSpaceById(database.db, givenId('spc', job.ref));
      if (!space || space.url === null) return;
      const head = isOnService(space) ? await headOf(platform, space.url, job.signal) : null;
      await database.transaction(async (tx) => {
        // The space is locked before the job, as everywhere: code that takes a space off the service locks
        // it, then withdraws its jobs.
        const now = await lockSpace(tx, space.id);
        await job.confirmLease(tx);
        if (!now || now.hosted === 1) return;
        // A page that did not answer is opened again tomorrow. A page that the space has moved
        // away from does not count.
        if (head && now.url === space.url) await syncPage(tx, space.id, head);
        else await tomorrow(tx, space.id);
      });
    },
    givenUp: ({ ref, confirm }) =>
      database.transaction(async (tx) => {
        await confirm(tx);
        await tomorrow(tx, givenId('spc', ref));
      }),
  };
}

function isOnService({ state }: SpaceRow): boolean {
  return state === 'listed' || state === 'unlisted';
}

async function headOf(platform: Platform, url: string, signal: AbortSignal): Promise<PageHead | null> {
  try {
    return await openListedPage(platform, url, signal);
  } catch (error) {
    if (error instanceof ServiceError) return null;
    throw error;
  }
}
