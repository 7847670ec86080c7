import {
  type BoardDeclaration,
  type Declarations,
  maxAchievements,
  maxBoards,
  maxStats,
} from '@spaceport/contract/declarations';
import {
  type AchievementDeclarations,
  type AchievementPlan,
  planAchievements,
  writeAchievements,
} from '../achievements/declare-achievements.ts';
import type { Source } from '../boards/board-settings.ts';
import { planBoards, writeBoards } from '../boards/declare-boards.ts';
import type { SpaceId } from '../platform/db/ids.ts';
import type { Db, Env } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';
import type { Fitted } from '../platform/limits/fit-keys.ts';

/** The declarations in a page's boards block, or in service.json. */
export type Declared = Pick<Declarations, 'boards' | 'stats' | 'achievements'>;

type Lists = { readonly [Kind in keyof Declared]?: readonly unknown[] | undefined };

/** Why a part of the declarations cannot be written. */
export type Problem =
  | {
      readonly is: 'too_many';
      /** The kind, in the plural. */
      readonly kind: 'boards' | 'stats' | 'achievements';
      readonly max: number;
      /** How many there would be. */
      readonly wanted: number;
      /** The keys for which there is no room. */
      readonly over: readonly string[];
    }
  | {
      readonly is: 'unknown_stat';
      /** The index of the achievement in its list. */
      readonly index: number;
      readonly stat: string;
    };

/** Declarations that were checked against what the space already has. */
export interface Plan {
  /** What can be written; everything if there is no problem. */
  readonly writable: {
    readonly boards: readonly BoardDeclaration[];
    readonly achievements: Required<AchievementDeclarations>;
  };
  readonly problems: readonly Problem[];
}

/**
 * Checks the declarations for a space, or for a new one (null). If they are to be written, the
 * caller has locked the space.
 */
export async function planDeclarations(db: Db, spaceId: SpaceId | null, declared: Declared): Promise<Plan> {
  // Most versions declare nothing, so nothing is read for them.
  if (isEmpty(declared))
    return { writable: { boards: [], achievements: { stats: [], achievements: [] } }, problems: [] };
  const boards = await planBoards(db, spaceId, declared.boards ?? []);
  const achievements = await planAchievements(db, spaceId, declared);
  return {
    writable: { boards: boards.fits, achievements: achievements.writable },
    problems: problemsOf(boards, achievements),
  };
}

function isEmpty({ boards = [], stats = [], achievements = [] }: Lists): boolean {
  return boards.length + stats.length + achievements.length === 0;
}

function problemsOf(
  boards: Fitted<BoardDeclaration>,
  { stats, achievements, unknownStats }: AchievementPlan,
): Problem[] {
  return [
    ...overOf('boards', maxBoards, boards),
    ...overOf('stats', maxStats, stats),
    ...overOf('achievements', maxAchievements, achievements),
    ...unknownStats.map((unknown): Problem => ({ is: 'unknown_stat', ...unknown })),
  ];
}

function overOf(
  kind: 'boards' | 'stats' | 'achievements',
  max: number,
  { over, wanted }: Fitted<{ readonly key: string }>,
): Problem[] {
  return over.length === 0 ? [] : [{ is: 'too_many', kind, max, wanted, over: over.map(({ key }) => key) }];
}

/** Writes the writable part of a plan. The caller locked the space before it made the plan. */
export async function writeDeclarations(
  tx: Tx,
  spaceId: SpaceId,
  { boards, achievements }: Plan['writable'],
  to: { source: Source; env: Env },
): Promise<void> {
  if (isEmpty({ boards, ...achievements })) return;
  await writeBoards(tx, spaceId, boards, to);
  await writeAchievements(tx, spaceId, achievements, to);
}
