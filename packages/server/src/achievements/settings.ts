import type { Achievement, Stat } from '@spaceport/contract/achievements';
import type { AchievementDeclaration, StatDeclaration } from '@spaceport/contract/declarations';
import type { PublicAchievement } from '@spaceport/contract/gallery';
import type { Selectable } from 'kysely';
import type { AchievementsTable, StatsTable } from '../platform/db/schema.ts';

export type StatRow = Selectable<StatsTable>;
export type AchievementRow = Selectable<AchievementsTable>;
export type Source = StatRow['source'];

/** The columns of a stat or an achievement that a declaration sets. */
export type StatSettings = Omit<StatRow, 'space_id' | 'env' | 'position' | 'created_at'>;
export type AchievementSettings = Omit<
  AchievementRow,
  'space_id' | 'env' | 'position' | 'unlocks' | 'created_at'
>;

/** Fills a declaration with defaults. A declaration replaces the whole stat. */
export function completeStat({ key, label, op }: StatDeclaration, source: Source): StatSettings {
  return { key, label: label ?? key, op: op ?? 'set', source };
}

/** Like `completeStat`, for an achievement. */
export function completeAchievement(declared: AchievementDeclaration, source: Source): AchievementSettings {
  return {
    key: declared.key,
    title: declared.title ?? declared.key,
    description: declared.description ?? '',
    trigger_stat: declared.trigger?.stat ?? null,
    trigger_at_least: declared.trigger?.atLeast ?? null,
    icon: declared.icon ?? null,
    hidden: declared.hidden === true ? 1 : 0,
    points: declared.points ?? 0,
    source,
  };
}

export function toStat({ key, label, op }: StatRow): Stat {
  return { key, label, op };
}

/** Returns an achievement as its creator reads it. */
export function toAchievement(row: AchievementRow): Achievement {
  const { key, title, description, trigger_stat, trigger_at_least, icon, points } = row;
  const trigger =
    trigger_stat === null || trigger_at_least === null
      ? null
      : { stat: trigger_stat, atLeast: trigger_at_least };
  return { key, title, description, trigger, icon, hidden: row.hidden === 1, points };
}

/** Returns an achievement as anyone reads it. A hidden one shows only that it exists. */
export function toPublicAchievement(row: AchievementRow): PublicAchievement {
  const { key, title, description, icon, points, unlocks } = row;
  const said =
    row.hidden === 1 ? { title: null, description: null, icon: null } : { title, description, icon };
  return { key, ...said, hidden: row.hidden === 1, points, unlocks };
}
