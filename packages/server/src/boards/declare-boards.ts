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

/** Which of these boards a space has room for beside those it has: its cap counts what is live. */
export async function planBoards(
  db: Db,
  spaceId: SpaceId | null,
  declared: readonly BoardDeclaration[],
): Promise<Fitted<BoardDeclaration>> {
  const present = spaceId === null ? [] : await findBoards(db, spaceId, 'live');
  return fitKeys(declared, new Set(present.map(({ key }) => key)), maxBoards);
}

/**
 * Writes the boards named, whole; the others stay. What is written live is written to the sandbox too, so that every
 * live board is there to be tried. Entries are ranked again where that changes them. The caller has locked the space
 * and planned the boards.
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

/** The sandbox has the same cap: boards of earlier previews that are not live go, the oldest first. */
async function makeRoomInSandbox(tx: Tx, spaceId: SpaceId, written: readonly BoardSettings[]): Promise<void> {
  const sandbox = await findBoards(tx.db, spaceId, 'sandbox');
  if (sandbox.length <= maxBoards) return;
  const live = await findBoards(tx.db, spaceId, 'live');
  const kept = new Set([...live, ...written].map(({ key }) => key));
  for (const board of surplusOf(sandbox, kept, maxBoards)) await dropBoard(tx, board);
}
