import { type RawBuilder, sql } from 'kysely';
import type { AccountId } from '../platform/db/ids.ts';
import { type Given, prepared } from '../platform/db/prepared.ts';
import { preparedTogether } from '../platform/db/prepared-together.ts';
import type { Db, Env } from '../platform/db/schema.ts';

/** The longest list of anything on the player's page. */
export const most = 1_000;

interface PlayedRow {
  readonly slug: string;
  readonly title: string;
  readonly first_at: number;
  readonly last_at: number;
  readonly played_ms: number;
}

/** Returns what the account has played on its page: the newest `most` spaces. */
export const findPlayed = (db: Db, accountId: AccountId) => playedBy(db, { accountId });

const playedBy = preparedTogether(
  ['accountId'],
  (_db, { accountId }) => sql<PlayedRow>`${selectPlayed(accountId)} limit ${sql.lit(most)}`,
);

/** Returns every space that the account has played, newest first. */
export async function findAllPlayed(db: Db, accountId: AccountId): Promise<PlayedRow[]> {
  return (await selectPlayed(accountId).execute(db)).rows;
}

function selectPlayed(accountId: AccountId | RawBuilder<unknown>) {
  return sql<PlayedRow>`
    select space.slug, space.title, play.first_at, play.last_at, play.played_ms
    from account_plays as play join spaces as space on space.id = play.space_id
    where play.account_id = ${accountId}
    order by play.last_at desc, space.slug`;
}

/** Returns what the account has unlocked on its page: the newest `most` achievements of live play. */
export const findUnlocked = (db: Db, accountId: AccountId) => unlockedBy(db, { accountId });

const unlockedBy = prepared((db, { accountId }: Given<{ accountId: AccountId }>) =>
  selectUnlocked(db, accountId, 'live').limit(most),
);

/** Returns everything that the account has unlocked in an env, newest first. */
export async function findAllUnlocked(db: Db, accountId: AccountId, env: Env) {
  return selectUnlocked(db, accountId, env).execute();
}

function selectUnlocked(db: Db, accountId: AccountId | RawBuilder<AccountId>, env: Env) {
  return db
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
    .orderBy('own.key');
}

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

/** Returns the saves of live play on the account's page, without their content: the newest `most`. */
export const findSaveHeads = (db: Db, accountId: AccountId) => savesOf(db, { accountId });

const savesOf = prepared((db, { accountId }: Given<{ accountId: AccountId }>) =>
  selectSaves(db, accountId)
    .where('own.env', '=', 'live')
    .orderBy('own.at', 'desc')
    .orderBy('space.slug')
    .orderBy('own.slot')
    .limit(most),
);

/** Returns every save of the account, without its content. */
export async function findAllSaveHeads(db: Db, accountId: AccountId) {
  return selectSaves(db, accountId).orderBy('space.slug').orderBy('own.env').orderBy('own.slot').execute();
}

function selectSaves(db: Db, accountId: AccountId | RawBuilder<AccountId>) {
  return db
    .selectFrom('saves as own')
    .innerJoin('spaces as space', 'space.id', 'own.space_id')
    .select(['space.slug', 'space.title', 'own.space_id', 'own.version', ...heads])
    .where('own.player_id', '=', accountId);
}

/** Returns the losers of live saves on the account's page, without their content: the newest `most`. */
export const findLoserHeads = (db: Db, accountId: AccountId) => losersOf(db, { accountId });

const losersOf = prepared((db, { accountId }: Given<{ accountId: AccountId }>) =>
  selectLosers(db, accountId).where('own.env', '=', 'live').limit(most),
);

/** Returns every loser of the account's saves, without its content, the newest first. */
export async function findAllLoserHeads(db: Db, accountId: AccountId) {
  return selectLosers(db, accountId).execute();
}

function selectLosers(db: Db, accountId: AccountId | RawBuilder<AccountId>) {
  return db
    .selectFrom('save_losers as own')
    .innerJoin('spaces as space', 'space.id', 'own.space_id')
    .select(['own.id', 'space.slug', 'space.title', 'own.lost_at', ...heads])
    .where('own.player_id', '=', accountId)
    .orderBy('own.lost_at', 'desc')
    .orderBy('own.id');
}
