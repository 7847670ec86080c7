import { type SandboxCategory, sandboxCategories } from '@spaceport/contract/sandbox';
import { lockProgress } from '../achievements/achievements.ts';
import { lockRankings } from '../boards/change-entries.ts';
import { clearBoard, clearPlayer } from '../boards/rebuild.ts';
import { clearSandboxContent } from '../content/content.ts';
import { clearSandboxOfGuests } from '../guests/clear-sandbox.ts';
import type { Platform } from '../platform/context.ts';
import type { AccountId } from '../platform/db/ids.ts';
import type { Tx } from '../platform/db/tx.ts';
import { ServiceError } from '../platform/errors.ts';
import type { CreatorCaller } from '../platform/http/caller.ts';
import { findPlayer } from '../players/players.ts';
import { clearSandboxSaves } from '../saves/saves.ts';
import { ownSpaceForHosting } from '../spaces/spaces.ts';
import { clearSandboxTelemetry } from '../telemetry/sweep.ts';
import {
  deleteSandboxRows,
  listSandboxBoards,
  type PlayerTable,
  type SandboxScope,
} from './reset.queries.ts';

/** The tables of each category that no feature deletes itself. */
const tables: Record<Exclude<SandboxCategory, 'scores' | 'saves' | 'content'>, readonly PlayerTable[]> = {
  achievements: ['unlocks', 'player_stats'],
  rooms: ['rooms'],
};

/**
 * Deletes the sandbox data of one of the caller's spaces, in one transaction, and counts it by
 * category: submissions, unlocks with stat values, and the records of the other stores. Declarations
 * stay, and so does everything live.
 * @throws `not_found`, `not_owner`, and `no_player` if no account has the handle
 */
export async function resetSandbox(
  { database, config }: Pick<Platform, 'database' | 'config'>,
  caller: CreatorCaller,
  slug: string,
  what: { categories?: readonly SandboxCategory[] | undefined; player?: string | undefined },
): Promise<Partial<Record<SandboxCategory, number>>> {
  return database.transaction(async (tx) => {
    const space = await ownSpaceForHosting(tx.db, slug, caller);
    const scope = { spaceId: space.id, playerId: await playerId(tx, what.player) };
    await lockRankings(tx, [space.id]);
    await lockProgress(tx, space.id);
    const deleted: Partial<Record<SandboxCategory, number>> = {};
    for (const category of what.categories ?? sandboxCategories) {
      deleted[category] = await clear(tx, category, scope, config.RANK_SEGMENT_SIZE);
    }
    // Telemetry of previews belongs to no player and no category, so it is deleted only with everything else.
    if (what.categories === undefined && what.player === undefined) await clearSandboxTelemetry(tx, space.id);
    return deleted;
  });
}

async function playerId(tx: Tx, handle: string | undefined): Promise<AccountId | undefined> {
  if (handle === undefined) return undefined;
  const player = await findPlayer(tx.db, handle);
  if (player) return player.playerId;
  throw new ServiceError('no_player', `There is no player @${handle.replace(/^@/u, '')}.`);
}

async function clearScores(
  tx: Tx,
  { spaceId, playerId }: SandboxScope,
  segmentSize: number,
): Promise<number> {
  let count = 0;
  for (const id of await listSandboxBoards(tx, spaceId)) {
    const board = { id, space_id: spaceId };
    count +=
      playerId === undefined
        ? await clearBoard(tx, board)
        : await clearPlayer(tx, board, playerId, segmentSize);
  }
  return count;
}

async function clear(
  tx: Tx,
  category: SandboxCategory,
  scope: SandboxScope,
  segmentSize: number,
): Promise<number> {
  if (category === 'saves') return clearSandboxSaves(tx, scope);
  if (category === 'content') return clearSandboxContent(tx, scope);
  // Guests have no handle and cannot be named, so their records are deleted only with those of all players.
  const ofGuests = scope.playerId === undefined ? await clearSandboxOfGuests(tx, scope.spaceId, category) : 0;
  if (category === 'scores') return ofGuests + (await clearScores(tx, scope, segmentSize));
  let count = ofGuests;
  for (const table of tables[category]) count += await deleteSandboxRows(tx, table, scope);
  return count;
}
