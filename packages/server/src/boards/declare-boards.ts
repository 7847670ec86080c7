import { type BoardDeclaration, maxBoards } from '@spaceport/contract/declarations';
import type { SpaceId } from '../platform/db/ids.ts';
import type { Db, Env } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';
import { type Fitted, fitKeys, surplusOf } from '../platform/limits/fit-keys.ts';
import { newId } from '../platform/secrets/id.ts';
import { type BoardSettings, completeBoard, ranksOtherwise, type Source } from './board-settings.ts';
import { findBoards, insertBoard, updateBoard } from './boards.queries.ts';
import { dropBoard } from './drop-boards.ts';
import { rankByNewRules } from './rerank-board.ts';
import { writeNamed } from './write-named.ts';

/**
 * Returns which of these boards a space has room for beside its existing ones. Only live
 * boards count towards the limit.
 */
export async function planBoards(
  db: Db,
  spaceId: SpaceId | null,
  declared: readonly BoardDeclaration[],
): Promise<Fitted<BoardDeclaration>> {
  const present = spaceId === null ? [] : await findBoards(db, spaceId, 'live');
  return fitKeys(declared, new Set(present.map(({ key }) => key)), maxBoards);
}

/**
 * Writes the declared boards; each declaration replaces the whole board, and other boards stay. Boards
 * written live are written to the sandbox too, so that every live board can be tried there. Entries are
 * ranked again if the change affects them. The caller has locked the space and planned the boards.
 */
export async function writeBoards(
  tx: Tx,
  spaceId: SpaceId,
  declared: readonly BoardDeclaration[],
  { source, env }: { source: Source; env: Env },
): Promise<void> {
  if (declared.length === 0) return;
  const wanted = declared.map((one) => completeBoard(one, source));
  if (env === 'live') await writeTo(tx, spaceId, 'live', wanted);
  await writeTo(tx, spaceId, 'sandbox', wanted);
  await makeRoomInSandbox(tx, spaceId, wanted);
}

async function writeTo(tx: Tx, spaceId: SpaceId, env: Env, wanted: readonly BoardSettings[]): Promise<void> {
  const { now } = tx;
  await writeNamed(await findBoards(tx.db, spaceId, env), wanted, {
    insert: (settings, position) => {
      const made = {
        id: newId('brd'),
        space_id: spaceId,
        env,
        created_at: now,
        updated_at: now,
        ranked_as: null,
      };
      return insertBoard(tx, { ...made, ...settings, position });
    },
    update: async (row, settings) => {
      await updateBoard(tx, row, settings, now);
      if (ranksOtherwise(row, settings)) await rankByNewRules(tx, row, { ...row, ...settings });
    },
  });
}

/**
 * Applies the same limit to the sandbox: boards of earlier previews that are not live
 * are deleted, the oldest first.
 */
async function makeRoomInSandbox(tx: Tx, spaceId: SpaceId, written: readonly BoardSettings[]): Promise<void> {
  const sandbox = await findBoards(tx.db, spaceId, 'sandbox');
  if (sandbox.length <= maxBoards) return;
  const live = await findBoards(tx.db, spaceId, 'live');
  const kept = new Set([...live, ...written].map(({ key }) => key));
  for (const board of surplusOf(sandbox, kept, maxBoards)) await dropBoard(tx, board);
}
