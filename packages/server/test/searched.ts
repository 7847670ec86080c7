import type { SpaceFields } from '@spaceport/contract/spaces';
import type { Database } from '../src/platform/db/database.ts';
import type { Engine } from '../src/platform/db/dialect.ts';
import type { AccountId, SpaceId } from '../src/platform/db/ids.ts';
import { newId } from '../src/platform/secrets/id.ts';
import { createSpace } from '../src/spaces/spaces.ts';
import { migratedDatabase } from './database.ts';

/** A database with accounts and listed spaces, without a service around it. */
export interface Searched {
  readonly database: Database;
  account(handle: string, name?: string): Promise<AccountId>;
  /** Lists a space that runs elsewhere. */
  list(owner: AccountId, fields: Partial<SpaceFields>, plays?: number): Promise<SpaceId>;
  titleOf(id: SpaceId): Promise<string>;
  close(): Promise<void>;
}

export async function openSearched(engine: Engine): Promise<Searched> {
  const { database, close } = await migratedDatabase(engine);
  let now = Date.UTC(2026, 0, 1);
  let count = 0;
  return {
    database,
    async account(handle, name = handle) {
      const id = newId('usr');
      await database.db
        .insertInto('creators')
        .values({
          id,
          handle,
          name,
          email: `${handle}@example.org`,
          operator: 0,
          banned_at: null,
          created_at: now,
        })
        .execute();
      return id;
    },
    async list(owner, fields, plays = 0) {
      now += 1_000;
      count += 1;
      const kind = { owner_id: owner, hosted: 0, claimed: 1, url: `https://example.org/${count}` } as const;
      const whole: SpaceFields = { title: 'Untitled', space_type: 'game', devices: ['desktop'], ...fields };
      const { id } = await database.transaction((tx) => createSpace({ ...tx, now }, whole, kind));
      if (plays > 0) await database.db.updateTable('spaces').set({ plays }).where('id', '=', id).execute();
      return id;
    },
    async titleOf(id) {
      const { title } = await database.db
        .selectFrom('spaces')
        .select('title')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      return title;
    },
    close,
  };
}
