import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SpaceFields } from '@spaceport/contract/spaces';
import fc from 'fast-check';
import { sql } from 'kysely';
import { engines } from '../../test/database.ts';
import { openSearched, type Searched } from '../../test/searched.ts';
import type { Database } from '../platform/db/database.ts';
import { docsWith, tokenKeys } from '../platform/db/dialect.ts';
import type { AccountId, SpaceId } from '../platform/db/ids.ts';
import { fromJson } from '../platform/db/json.ts';
import type { Db } from '../platform/db/schema.ts';
import { shownThing } from '../platform/db/shown.ts';
import { createLog } from '../platform/log.ts';
import { toColumns } from '../spaces/space-fields.ts';
import { changeSpaceRow, deleteSpace, lockEvenDeleted } from '../spaces/spaces.ts';
import { changeState, cover, type StateAction } from '../spaces/states.ts';
import { beginFill, createFillJob, howFilled, indexSpacesOf } from './fill.ts';
import { searchSpaces } from './search.ts';
import { tokensOf } from './tokens.ts';

type Change =
  | { readonly is: 'list' | 'delete row' | 'rename' }
  | { readonly is: 'cover'; readonly by: keyof typeof covers }
  | { readonly is: 'edit'; readonly fields: Partial<SpaceFields> }
  | { readonly is: 'state'; readonly action: StateAction }
  | { readonly is: 'unlist'; readonly unlisted: 0 | 1 };

const words = fc.constantFrom('moon', 'hop', 'élan', '東京', 'puzzle 🧩', '');
const edit = fc.record(
  {
    title: words.map((word) => `A ${word}`),
    description: words,
    tags: fc.uniqueArray(fc.constantFrom('puzzle', 'pixel-art', 'moon'), { maxLength: 3 }),
    space_type: fc.constantFrom('game' as const, 'toy' as const),
  },
  { requiredKeys: [] },
);
const change: fc.Arbitrary<Change> = fc.oneof(
  fc.constantFrom('list' as const, 'delete row' as const, 'rename' as const).map((is) => ({ is })),
  fc
    .constantFrom('offline' as const, 'online' as const, 'ban' as const, 'unban' as const, 'trash' as const)
    .map((by) => ({ is: 'cover' as const, by })),
  edit.map((fields) => ({ is: 'edit' as const, fields })),
  fc
    .constantFrom<StateAction>('hold', 'release', 'hide', 'remove', 'restore')
    .map((action) => ({ is: 'state' as const, action })),
  fc.constantFrom<0 | 1>(0, 1).map((unlisted) => ({ is: 'unlist' as const, unlisted })),
);
const covers = {
  offline: { offline: 1 },
  online: { offline: 0 },
  ban: { owner_banned: 1 },
  unban: { owner_banned: 0 },
  trash: { deleted_at: 1 },
} as const;

/**
 * Applies a change to a space as the features do. A change that is not possible is
 * refused and changes nothing.
 */
async function apply(searched: Searched, owner: AccountId, id: SpaceId, change: Change): Promise<void> {
  const { database } = searched;
  if (change.is === 'list') return void (await searched.list(owner, { title: 'Another moon' }));
  await database.transaction(async (tx) => {
    const space = await lockEvenDeleted(tx, id);
    if (!space) return;
    if (change.is === 'edit') await changeSpaceRow(tx, id, toColumns(change.fields));
    else if (change.is === 'unlist') await changeSpaceRow(tx, id, { page_unlisted: change.unlisted });
    else if (change.is === 'delete row') await deleteSpace(tx, id);
    else if (change.is === 'state') await changeState(tx, id, change.action, null).catch(() => null);
    else if (change.is === 'rename') {
      await tx.db
        .updateTable('creators')
        .set({ name: `Mira ${space.revision}` })
        .where('id', '=', owner)
        .execute();
      await indexSpacesOf(tx, owner);
    } else if (change.is === 'cover') await cover(tx, space, covers[change.by]);
  });
}

/** Checks that every token finds the listed spaces that have it, and no other spaces. */
async function requireAgreement({ database: { db } }: Searched, seen: Set<string>): Promise<void> {
  const rows = await db
    .selectFrom('spaces as space')
    .leftJoin('creators as owner', 'owner.id', 'space.owner_id')
    .selectAll('space')
    .select(['owner.handle', 'owner.name'])
    .where('space.state', '=', 'listed')
    .where('space.page_unlisted', '=', 0)
    .execute();
  const expected = new Map<string, string[]>();
  const labels: string[] = [];
  for (const { id, title, description, space_type, handle, name, ...row } of rows) {
    const tags = fromJson(row.tags);
    const creator = `${handle} ${name}`;
    for (const token of tokensOf({ title, description, tags, creator, spaceType: space_type }))
      expected.set(token, [...(expected.get(token) ?? []), id]);
    labels.push(...tags.flatMap((tag) => [`${tag} ${id}`, `${tag} ${space_type} ${id}`]));
  }
  for (const token of expected.keys()) seen.add(token);
  const docs = await db.selectFrom('search_docs').select(['id', 'space_id']).execute();
  assert.deepEqual(docs.map((doc) => doc.space_id).sort(), rows.map(({ id }) => id as string).sort());
  const spaceOf = new Map(docs.map((doc) => [doc.id, doc.space_id]));
  for (const token of seen) {
    const [first, second, third, fourth] = tokenKeys(db, [[token]]);
    const keys = [sql.val(first), sql.val(second), sql.val(third), sql.val(fourth)] as const;
    const { rows: found } = await docsWith(db, keys, { limit: 1_000 }).$castTo<{ doc: number }>().execute(db);
    const ids = found.map(({ doc }) => spaceOf.get(doc) as string);
    assert.deepEqual(ids.sort(), (expected.get(token) ?? []).sort(), token);
  }
  const kept = await db.selectFrom('search_labels').select(['label', 'space_id']).execute();
  assert.deepEqual(kept.map(({ label, space_id }) => `${label} ${space_id}`).sort(), labels.sort());
}

function findings(db: Db, q: string) {
  const asked = { q, tag: undefined, spaceType: undefined };
  return searchSpaces(db, asked, { order: 'best', after: null, limit: 20 });
}

/** Runs the job that fills the index, as a worker does. */
function runFill(database: Database, signal = new AbortController().signal): Promise<void> {
  const { run } = createFillJob({ database, log: createLog({ LOG_LEVEL: 'silent' }) });
  return run({ ref: 'all', signal, confirmLease: async () => {} });
}

for (const engine of engines)
  describe(`the search index on ${engine}`, () => {
    it('agrees with the rows after any changes', async () => {
      const searched = await openSearched(engine);
      try {
        const owner = await searched.account('mira');
        const seen = new Set<string>();
        await fc.assert(
          fc.asyncProperty(
            fc.array(fc.tuple(fc.nat({ max: 30 }), change), { minLength: 3, maxLength: 8 }),
            async (changes) => {
              await searched.list(owner, { title: 'A moon', tags: ['moon'] });
              for (const [which, change] of changes) {
                const ids = await searched.database.db
                  .selectFrom('spaces')
                  .select('id')
                  .orderBy('id')
                  .execute();
                const at = ids[which % ids.length];
                if (at) await apply(searched, owner, at.id, change);
              }
              await requireAgreement(searched, seen);
              // The next run begins with few spaces again.
              await searched.database.transaction(async (tx) => {
                for (const { id } of await tx.db.selectFrom('spaces').select('id').execute())
                  if (Math.abs(id.charCodeAt(5)) % 3 === 0) await deleteSpace(tx, id);
              });
            },
          ),
          { numRuns: 15 },
        );
      } finally {
        await searched.close();
      }
    });

    it('announces that searches change when the creator of listed spaces is renamed', async () => {
      const searched = await openSearched(engine);
      try {
        const { database } = searched;
        const owner = await searched.account('mira');
        // PostgreSQL may tell of an earlier transaction later, so other tags are possible.
        const told = new Set<string>();
        database.announcements.listen(shownThing, (tag) => told.add(tag));
        await database.transaction((tx) => indexSpacesOf(tx, owner));
        await searched.list(owner, { title: 'Moon' });
        assert.equal(told.has('spaces'), false);
        await database.transaction((tx) => indexSpacesOf(tx, owner));
        assert.equal(told.has('spaces'), true);
      } finally {
        await searched.close();
      }
    });

    it('is filled once for spaces that existed before it, behind a service that answers', async () => {
      const searched = await openSearched(engine);
      try {
        const { database } = searched;
        const { db } = database;
        const owner = await searched.account('mira');
        for (let count = 0; count < 160; count++) await searched.list(owner, { title: `Moon ${count}` });
        const empty = () => db.deleteFrom('search_docs').execute();
        const indexed = async () =>
          (await db.selectFrom('search_docs').select('space_id').orderBy('space_id').execute()).map(
            ({ space_id }) => space_id,
          );
        await empty();
        await beginFill(database);
        const first = await indexed();
        assert.equal(first.length, 100, 'the start waits for a piece of it alone');
        const jobs = await db.selectFrom('jobs').select(['kind', 'ref']).execute();
        assert.deepEqual(jobs, [{ kind: 'fill-search', ref: 'all' }]);
        assert.deepEqual(await howFilled(db), { spaces: 160, indexed: 100 });
        assert.equal((await findings(db, 'moon')).length, 20, 'searches find what there is');

        const told: string[] = [];
        database.announcements.listen(shownThing, (tag) => told.push(tag));
        const stopping = new AbortController();
        const stopped: Database = {
          ...database,
          transaction: (work) => database.transaction(work).finally(() => stopping.abort()),
        };
        await assert.rejects(runFill(stopped, stopping.signal), { name: 'AbortError' });
        assert.equal((await indexed()).length, 120);
        assert.ok(told.includes('spaces'), 'cached lists and searches are made anew');

        // Another goes on from there: what was indexed stays as it is.
        await empty();
        await Promise.all([runFill(database), runFill(database)]);
        const rest = await indexed();
        assert.equal(rest.length, 40);
        assert.ok(rest.every((id) => !first.includes(id)));
        assert.equal(await howFilled(db), null);

        await empty();
        await beginFill(database);
        await runFill(database);
        assert.deepEqual(await indexed(), [], 'once');
      } finally {
        await searched.close();
      }
    });

    it('has the new name of a creator who is renamed while it is filled', async () => {
      const searched = await openSearched(engine);
      try {
        const { database } = searched;
        const { db } = database;
        const owner = await searched.account('mira');
        for (let count = 0; count < 130; count++) await searched.list(owner, { title: `Moon ${count}` });
        await db.deleteFrom('search_docs').execute();
        await beginFill(database);
        const rename = database.transaction(async (tx) => {
          await tx.db.updateTable('creators').set({ name: 'Selene' }).where('id', '=', owner).execute();
          await indexSpacesOf(tx, owner);
        });
        await Promise.all([rename, runFill(database)]);
        const docs = await db.selectFrom('search_docs').select('names').execute();
        assert.equal(docs.length, 130);
        assert.deepEqual([...new Set(docs.map(({ names }) => names))], ['mira selene']);
      } finally {
        await searched.close();
      }
    });

    it('is as whole as before when two nodes start at once', async () => {
      const searched = await openSearched(engine);
      try {
        const { database } = searched;
        const owner = await searched.account('mira');
        for (let count = 0; count < 12; count++)
          await searched.list(owner, { title: `Moon ${count}`, tags: ['moon'] });
        await database.db.deleteFrom('search_docs').execute();
        await database.db.deleteFrom('search_labels').execute();
        await Promise.all([1, 2, 3, 4].map(() => beginFill(database)));
        assert.equal(await howFilled(database.db), null);
        assert.equal((await findings(database.db, 'moon')).length, 12);
      } finally {
        await searched.close();
      }
    });
  });
