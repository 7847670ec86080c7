import { oneOfList } from '../platform/db/dialect.ts';
import type { AccountId, SpaceId } from '../platform/db/ids.ts';
import { type List, listOf } from '../platform/db/lists.ts';
import { type Given, prepared } from '../platform/db/prepared.ts';
import type { Db, Env } from '../platform/db/schema.ts';

/** The longest list of anything on the player's page. */
export const most = 1_000;

/** A space by slug and title. */
export interface NamedSpace {
  readonly slug: string;
  readonly title: string;
}

/** Returns slug and title of these spaces, without deleted ones. */
export async function findNames(db: Db, spaceIds: readonly SpaceId[]): Promise<Map<SpaceId, NamedSpace>> {
  const rows = spaceIds.length === 0 ? [] : await namesOf(db, { spaceIds: listOf(spaceIds) });
  return new Map(rows.map(({ id, slug, title }) => [id, { slug, title }]));
}

const namesOf = prepared((db, { spaceIds }: Given<{ spaceIds: List<SpaceId> }>) =>
  db
    .selectFrom('spaces')
    .select(['id', 'slug', 'title'])
    .where('id', 'in', oneOfList(db, spaceIds))
    .where('deleted_at', 'is', null),
);

export const findPlayed = (db: Db, accountId: AccountId) => playedBy(db, { accountId });

const playedBy = prepared((db, { accountId }: Given<{ accountId: AccountId }>) =>
  db
    .selectFrom('account_plays as play')
    .innerJoin('spaces as space', 'space.id', 'play.space_id')
    .select(['space.slug', 'space.title', 'play.first_at', 'play.last_at', 'play.played_ms'])
    .where('play.account_id', '=', accountId)
    .orderBy('play.last_at', 'desc')
    .orderBy('space.slug')
    .limit(most),
);

export const findUnlocked = (db: Db, accountId: AccountId, env: Env = 'live') =>
  unlockedBy(db, { accountId, env });

const unlockedBy = prepared((db, { accountId, env }: Given<{ accountId: AccountId; env: Env }>) =>
  db
    .selectFrom('unlocks as own')
    .innerJoin('spaces as space', 'space.id', 'own.space_id')
    .innerJoin('achievements as achievement', (join) =>
      join
        .onRef('achievement.space_id', '=', 'own.space_id')
        .onRef('achievement.env', '=', 'own.env')
        .onRef('achievement.key', '=', 'own.key'),
    )
    .select(['own.space_id', 'space.slug', 'space.title as space_title', 'own.key', 'own.unlocked_at'])
    .select(['achievement.title', 'achievement.points', 'achievement.hidden'])
    .where('own.player_id', '=', accountId)
    .where('own.env', '=', env)
    .orderBy('own.unlocked_at', 'desc')
    .orderBy('own.space_id')
    .orderBy('own.key')
    .limit(most),
);

export async function findStats(db: Db, accountId: AccountId) {
  return db
    .selectFrom('player_stats as own')
    .innerJoin('spaces as space', 'space.id', 'own.space_id')
    .select(['space.slug', 'own.env', 'own.key', 'own.value', 'own.updated_at'])
    .where('own.player_id', '=', accountId)
    .orderBy('own.space_id')
    .orderBy('own.env')
    .orderBy('own.key')
    .execute();
}

const heads = ['own.slot', 'own.type', 'own.bytes', 'own.device', 'own.at', 'own.env'] as const;

/** Returns every save of the account, without its content. */
export const findSaveHeads = (db: Db, accountId: AccountId) => savesOf(db, { accountId });

const savesOf = prepared((db, { accountId }: Given<{ accountId: AccountId }>) =>
  db
    .selectFrom('saves as own')
    .innerJoin('spaces as space', 'space.id', 'own.space_id')
    .select(['space.slug', 'space.title', 'own.space_id', 'own.version', ...heads])
    .where('own.player_id', '=', accountId)
    .orderBy('space.slug')
    .orderBy('own.env')
    .orderBy('own.slot'),
);

/** Returns every loser of the account's saves, without its content, the newest first. */
export const findLoserHeads = (db: Db, accountId: AccountId) => losersOf(db, { accountId });

const losersOf = prepared((db, { accountId }: Given<{ accountId: AccountId }>) =>
  db
    .selectFrom('save_losers as own')
    .innerJoin('spaces as space', 'space.id', 'own.space_id')
    .select(['own.id', 'space.slug', 'space.title', 'own.lost_at', ...heads])
    .where('own.player_id', '=', accountId)
    .orderBy('own.lost_at', 'desc')
    .orderBy('own.id'),
);
