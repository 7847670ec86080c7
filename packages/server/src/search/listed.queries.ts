import { sql } from 'kysely';

/**
 * Whether anyone may see the table's `space`: it is on the service, and there is something to open. It is
 * written so that no engine looks up the state in an index, which finds nearly every space. SQLite would do
 * that instead of using the ids in the statement.
 */
export const isPublic = sql<boolean>`(case when space.state = 'listed'
  and (space.hosted = 0 or space.live_version_id is not null) then 1 else 0 end = 1)`;

/** Whether the space is public, and its creator keeps it in the lists. */
export const isListed = sql<boolean>`(${isPublic} and space.page_unlisted = 0)`;
