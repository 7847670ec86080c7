import { holdRows, oneOf, putTokens } from '../platform/db/dialect.ts';
import { type AccountId, givenId, type SpaceId } from '../platform/db/ids.ts';
import { fromJson } from '../platform/db/json.ts';
import type { Db } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';
import { isListed } from './listed.queries.ts';
import { tokensOf } from './tokens.ts';
import { wordsOf } from './words.ts';

/**
 * Writes the search index of these spaces, in the transaction that changed them. Spaces that the gallery does
 * not list are removed. The spaces are locked until the transaction ends.
 */
export async function indexSpaces(tx: Tx, ids: readonly SpaceId[]): Promise<void> {
  if (ids.length === 0) return;
  const shown = await readListed(tx, ids);
  const shownIds = new Set(shown.map(({ id }) => id));
  const gone = ids.filter((id) => !shownIds.has(id));
  if (gone.length > 0)
    await tx.db.deleteFrom('search_docs').where('space_id', 'in', oneOf(tx.db, gone)).execute();
  await tx.db.deleteFrom('search_labels').where('space_id', 'in', oneOf(tx.db, ids)).execute();
  if (shown.length === 0) return;

  const docs = await tx.db
    .insertInto('search_docs')
    .values(
      shown.map(({ id, title, names }) => ({
        space_id: id,
        title: wordsOf(title).join(' '),
        names: wordsOf(names).join(' '),
      })),
    )
    .onConflict((conflict) =>
      conflict
        .column('space_id')
        .doUpdateSet(({ ref }) => ({ title: ref('excluded.title'), names: ref('excluded.names') })),
    )
    .returning(['id', 'space_id'])
    .execute();
  const idOf = new Map(docs.map(({ id, space_id }) => [space_id, id]));
  await putTokens(
    tx,
    shown.flatMap(({ id, tokens }) => {
      const doc = idOf.get(id);
      return doc === undefined ? [] : [{ id: doc, tokens }];
    }),
  );
  const labels = shown.flatMap(({ id, labels, created_at }) =>
    labels.map((label) => ({ label, created_at, space_id: id })),
  );
  if (labels.length > 0) await tx.db.insertInto('search_labels').values(labels).execute();
}

/** Returns the label of a tag for spaces of a type, as in `search_labels`. */
export function labelOf(tag: string, spaceType: string | undefined): string {
  return spaceType === undefined ? tag : `${tag} ${spaceType}`;
}

/** Returns the spaces among these that the gallery lists, with the texts that they are found by. */
async function readListed(tx: Tx, ids: readonly SpaceId[]) {
  const rows = await tx.db
    .selectFrom('spaces as space')
    .select([
      'space.id',
      'space.title',
      'space.description',
      'space.tags',
      'space.space_type',
      'space.created_at',
      'space.claimed',
    ])
    // There is no join, because a lock on the space must not also lock its creator.
    .select(({ selectFrom }) => [
      selectFrom('creators')
        .select('creators.handle')
        .whereRef('creators.id', '=', 'space.owner_id')
        .as('handle'),
      selectFrom('creators')
        .select('creators.name')
        .whereRef('creators.id', '=', 'space.owner_id')
        .as('name'),
    ])
    .where('space.id', 'in', oneOf(tx.db, ids))
    .where(isListed)
    .modifyEnd(holdRows(tx.db))
    .execute();
  return rows.map(({ id, title, description, space_type: spaceType, created_at, claimed, ...row }) => {
    const tags = fromJson(row.tags);
    // A creator is named only with a page that they have proved to own.
    const creator = claimed === 1 ? `${row.handle ?? ''} ${row.name ?? ''}` : '';
    return {
      id,
      title,
      created_at,
      names: `${tags.join(' ')} ${creator}`,
      labels: tags.flatMap((tag) => [labelOf(tag, undefined), labelOf(tag, spaceType)]),
      tokens: tokensOf({ title, description, tags, creator, spaceType }),
    };
  });
}

/** Returns ids of spaces in ascending order, after `after` if it is given. */
export async function findIdsAfter(db: Db, after: SpaceId | null, limit: number): Promise<SpaceId[]> {
  let query = db.selectFrom('spaces').select('id').orderBy('id').limit(limit);
  if (after !== null) query = query.where('id', '>', after);
  const rows = await query.execute();
  return rows.map(({ id }) => id);
}

/**
 * Locks spaces until the transaction ends, so that none of them is indexed elsewhere meanwhile. What is read after this
 * statement is as others have left it.
 */
export async function lockToIndex(tx: Tx, ids: readonly SpaceId[]): Promise<void> {
  await tx.db
    .selectFrom('spaces')
    .select('id')
    .where('id', 'in', oneOf(tx.db, ids))
    .orderBy('id')
    .modifyEnd(holdRows(tx.db, 'no key update'))
    .execute();
}

/** Locks all spaces of an account, as `lockToIndex` does. */
export async function lockToIndexAllOf(tx: Tx, ownerId: AccountId): Promise<void> {
  await tx.db
    .selectFrom('spaces')
    .select('id')
    .where('owner_id', '=', ownerId)
    .orderBy('id')
    .modifyEnd(holdRows(tx.db, 'no key update'))
    .execute();
}

/** Returns the ids of an account's spaces that are in the index. */
export async function findKnownOf(tx: Tx, ownerId: AccountId): Promise<SpaceId[]> {
  const rows = await tx.db
    .selectFrom('spaces')
    .innerJoin('search_docs', 'search_docs.space_id', 'spaces.id')
    .select('spaces.id')
    .where('spaces.owner_id', '=', ownerId)
    .orderBy('spaces.id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Returns ids of an account's spaces that the gallery lists and that are not in the index, in ascending order. */
export async function findMissingOf(
  db: Db,
  ownerId: AccountId,
  { after, limit }: { after: SpaceId; limit: number },
): Promise<SpaceId[]> {
  const rows = await db
    .selectFrom('spaces as space')
    .leftJoin('search_docs as doc', 'doc.space_id', 'space.id')
    .select('space.id')
    .where('space.owner_id', '=', ownerId)
    .where('space.id', '>', after)
    .where('doc.id', 'is', null)
    .where(isListed)
    .orderBy('space.id')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** How far the index is filled. `rules` is 0 before all of it is, and `to` is null before anything is. */
export interface Filled {
  readonly rules: number;
  readonly by: number | null;
  readonly to: SpaceId | null;
}

export async function findFilled(db: Db): Promise<Filled> {
  const row = await db
    .selectFrom('search_state')
    .select(['rules', 'filled_by as by', 'filled_to as to'])
    .executeTakeFirst();
  return row ?? { rules: 0, by: null, to: null };
}

export async function setFilled(tx: Tx, { rules, by, to }: Filled): Promise<void> {
  await tx.db.deleteFrom('search_state').execute();
  await tx.db.insertInto('search_state').values({ rules, filled_by: by, filled_to: to }).execute();
}

/** Returns how many spaces there are, and how many of them have an id up to `to`. */
export async function countUpTo(db: Db, to: SpaceId | null): Promise<{ spaces: number; upTo: number }> {
  const { spaces, upTo } = await db
    .selectFrom('spaces')
    .select(({ fn }) => fn.countAll<number>().as('spaces'))
    .select(({ fn }) =>
      fn
        .countAll<number>()
        .filterWhere('id', '<=', to ?? givenId('spc', ''))
        .as('upTo'),
    )
    .executeTakeFirstOrThrow();
  return { spaces: Number(spaces), upTo: Number(upTo) };
}
