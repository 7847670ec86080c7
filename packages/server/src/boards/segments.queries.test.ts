import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sql } from 'kysely';
import { migratedDatabase } from '../../test/database.ts';
import { rankOf, withRuns } from './segments.queries.ts';

it('a rank is looked up by index on both sort columns, without reading equal scores one by one', async () => {
  const { database, close } = await migratedDatabase('sqlite');
  const { rows } = await sql<{ detail: string }>`
      explain query plan
      with place as materialized (
          select cast(1 as bigint) as ranking_id,
            cast(1 as double precision) as sort_key, cast(1 as bigint) as submission_id),
        p as materialized (
          ${withRuns(database.db, sql`ranking_id, sort_key, submission_id`, sql`place`)})
      select ${rankOf} from p`.execute(database.db);
  const searches = rows.flatMap(({ detail }) => (detail.startsWith('SEARCH') ? detail : []));
  assert.equal(searches.length, 7);
  for (const search of searches)
    assert.match(search, /\((?:low_key,low_id|sort_key,submission_id)\)[<>]\(\?,\?\)/u);
  await close();
});
