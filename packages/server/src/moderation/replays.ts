import type { readReplay, readReplays } from '@spaceport/contract/moderation';
import type { AnswerOf } from '@spaceport/contract/operation';
import { findReplay, type ReplaySummary } from '../boards/boards.ts';
import { listReplays } from '../boards/replays.ts';
import { toTimestamp } from '../platform/clock/clock.ts';
import type { Platform } from '../platform/context.ts';
import { ServiceError } from '../platform/errors.ts';
import type { CreatorCaller } from '../platform/http/caller.ts';
import type { Players } from '../players/players.ts';
import { ownView } from '../spaces/space-view.ts';

/**
 * Returns the replays of one of the caller's boards, live or in the sandbox.
 * @throws `not_found`
 */
export async function readBoardReplays(
  { database: { db } }: Platform,
  caller: CreatorCaller,
  { slug, key, sandbox }: { slug: string; key: string; sandbox: boolean },
): Promise<AnswerOf<typeof readReplays>> {
  const { id } = await ownView(db, slug, caller);
  const replays = await listReplays(db, { spaceId: id, env: sandbox ? 'sandbox' : 'live', key });
  return { replays: replays.map(summaryOf) };
}

/**
 * Returns one replay of one of the caller's spaces.
 * @throws `not_found`
 */
export async function readOneReplay(
  { database: { db } }: Platform,
  caller: CreatorCaller,
  { slug, id }: { slug: string; id: number },
  { sessions }: Players,
): Promise<AnswerOf<typeof readReplay>> {
  const space = await ownView(db, slug, caller);
  const found = await findReplay(db, space.id, id);
  if (!found) throw new ServiceError('not_found', `There is no replay of a submission ${id} of «${slug}».`);
  return {
    ...summaryOf(found),
    board: found.board,
    seed: found.run === null ? null : await sessions.seedOf(found.run),
    replay: found.data,
  };
}

function summaryOf({ submission, handle, score, version, bytes, created_at }: ReplaySummary) {
  return { submission, handle: handle ?? '', score, version, bytes, submitted_at: toTimestamp(created_at) };
}
