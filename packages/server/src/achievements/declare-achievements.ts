import {
  type AchievementDeclaration,
  maxAchievements,
  maxStats,
  type StatDeclaration,
} from '@spaceport/contract/declarations';
import { writeNamed } from '../boards/write-named.ts';
import type { SpaceId } from '../platform/db/ids.ts';
import type { Db, Env } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';
import { type Fitted, fitKeys, surplusOf } from '../platform/limits/fit-keys.ts';
import {
  findAchievements,
  findStats,
  insertAchievement,
  insertStat,
  updateAchievement,
  updateStat,
} from './achievements.queries.ts';
import { drop, dropLeftovers, type Earnable } from './drop-earned.ts';
import { lockProgress } from './progress.queries.ts';
import { completeAchievement, completeStat, type Source } from './settings.ts';

export interface AchievementDeclarations {
  readonly stats?: readonly StatDeclaration[] | undefined;
  readonly achievements?: readonly AchievementDeclaration[] | undefined;
}

export interface AchievementPlan {
  readonly stats: Fitted<StatDeclaration>;
  readonly achievements: Fitted<AchievementDeclaration>;
  /**
   * Triggers that name an unknown stat, by their index in the list: it is in neither this
   * declaration nor the space.
   */
  readonly unknownStats: readonly { readonly index: number; readonly stat: string }[];
  /**
   * The declarations that can be written: the space has room for them, and the stats of their triggers exist.
   */
  readonly writable: Required<AchievementDeclarations>;
}

/** Plans the declarations that the space has room for. The limits count only live ones. */
export async function planAchievements(
  db: Db,
  spaceId: SpaceId | null,
  { stats: declaredStats = [], achievements: declared = [] }: AchievementDeclarations,
): Promise<AchievementPlan> {
  const presentStats = await keysOf(spaceId, (id) => findStats(db, id, 'live'));
  const stats = fitKeys(declaredStats, presentStats, maxStats);
  const named = new Set([...presentStats, ...declaredStats.map(({ key }) => key)]);
  const there = new Set([...presentStats, ...stats.fits.map(({ key }) => key)]);
  const needs = ({ trigger }: AchievementDeclaration) => trigger?.stat ?? null;
  const present = await keysOf(spaceId, (id) => findAchievements(db, id, 'live'));
  const sound = declared.filter((one) => has(there, needs(one)));
  return {
    stats,
    achievements: fitKeys(declared, present, maxAchievements),
    unknownStats: declared.flatMap((one, index) => {
      const stat = needs(one);
      return stat === null || named.has(stat) ? [] : [{ index, stat }];
    }),
    writable: { stats: stats.fits, achievements: fitKeys(sound, present, maxAchievements).fits },
  };
}

function has(stats: ReadonlySet<string>, stat: string | null): boolean {
  return stat === null || stats.has(stat);
}

async function keysOf(
  spaceId: SpaceId | null,
  find: (id: SpaceId) => Promise<{ key: string }[]>,
): Promise<ReadonlySet<string>> {
  return new Set(spaceId === null ? [] : (await find(spaceId)).map(({ key }) => key));
}

/**
 * Writes the declared stats and achievements; each declaration replaces the whole one, and others stay. Live
 * ones are also written to the sandbox. The caller has locked the space and planned the writes.
 */
export async function writeAchievements(
  tx: Tx,
  spaceId: SpaceId,
  { stats = [], achievements = [] }: AchievementDeclarations,
  { source, env }: { source: Source; env: Env },
): Promise<void> {
  let changed = false;
  for (const to of env === 'live' ? (['live', 'sandbox'] as const) : (['sandbox'] as const)) {
    const [presentStats, present] = [
      await findStats(tx.db, spaceId, to),
      await findAchievements(tx.db, spaceId, to),
    ];
    const added = { space_id: spaceId, env: to, created_at: tx.now };
    for (const [declared, wanted, there] of [
      ['stats', stats, presentStats],
      ['achievements', achievements, present],
    ] as const)
      await dropLeftovers(tx, declared, { spaceId, env: to }, newKeys(wanted, there));
    const wroteStats = await writeNamed(
      presentStats,
      stats.map((one) => completeStat(one, source)),
      {
        insert: (settings, position) => insertStat(tx, { ...added, ...settings, position }),
        update: (_, settings) => updateStat(tx, { spaceId, env: to, key: settings.key }, settings),
      },
    );
    const wrote = await writeNamed(
      present,
      achievements.map((one) => completeAchievement(one, source)),
      {
        insert: (settings, position) =>
          insertAchievement(tx, { ...added, ...settings, position, unlocks: 0 }),
        update: (_, settings) => updateAchievement(tx, { spaceId, env: to, key: settings.key }, settings),
      },
    );
    changed ||= wroteStats || wrote;
  }
  if (!changed) return;
  await makeRoomInSandbox(tx, spaceId, { stats, achievements });
}

function newKeys(wanted: readonly { key: string }[], there: readonly { key: string }[]): string[] {
  const known = new Set(there.map(({ key }) => key));
  return wanted.flatMap(({ key }) => (known.has(key) ? [] : [key]));
}

/**
 * Applies the same limits to the sandbox: what only earlier previews declared is deleted, the oldest first.
 */
async function makeRoomInSandbox(
  tx: Tx,
  spaceId: SpaceId,
  written: Required<AchievementDeclarations>,
): Promise<void> {
  for (const [find, named, max, declared] of [
    [findStats, written.stats, maxStats, 'stats' as Earnable],
    [findAchievements, written.achievements, maxAchievements, 'achievements'],
  ] as const) {
    const sandbox: readonly { key: string }[] = await find(tx.db, spaceId, 'sandbox');
    if (sandbox.length <= max) continue;
    await lockProgress(tx, spaceId);
    const live: readonly { key: string }[] = await find(tx.db, spaceId, 'live');
    const kept = new Set([...live, ...named].map(({ key }) => key));
    for (const { key } of surplusOf(sandbox, kept, max))
      await drop(tx, declared, { spaceId, env: 'sandbox', key });
  }
}
