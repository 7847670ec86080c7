import type { Platform } from '../platform/context.ts';
import { ServiceError } from '../platform/errors.ts';

export interface ListedPasskey {
  readonly id: string;
  readonly name: string | null;
  readonly createdAt: number | null;
}

/** The passkeys of an account; they are made and used through passkeys.routes.ts. */
export interface Passkeys {
  list(creatorId: string): Promise<ListedPasskey[]>;
  /** These throw `not_found` for one that is not the creator's. */
  rename(creatorId: string, passkeyId: string, name: string): Promise<ListedPasskey>;
  remove(creatorId: string, passkeyId: string): Promise<void>;
}

export function createPasskeys({ database: { db } }: Pick<Platform, 'database'>): Passkeys {
  return {
    list: (creatorId) =>
      db
        .selectFrom('auth_passkeys')
        .select(['id', 'name', 'created_at as createdAt'])
        .where('creator_id', '=', creatorId)
        .orderBy('created_at')
        .execute(),
    async rename(creatorId, passkeyId, name) {
      const renamed = await db
        .updateTable('auth_passkeys')
        .set({ name })
        .where('id', '=', passkeyId)
        .where('creator_id', '=', creatorId)
        .returning(['id', 'name', 'created_at as createdAt'])
        .executeTakeFirst();
      if (!renamed) throw noSuchPasskey();
      return renamed;
    },
    async remove(creatorId, passkeyId) {
      const { numDeletedRows } = await db
        .deleteFrom('auth_passkeys')
        .where('id', '=', passkeyId)
        .where('creator_id', '=', creatorId)
        .executeTakeFirst();
      if (numDeletedRows === 0n) throw noSuchPasskey();
    },
  };
}

function noSuchPasskey(): ServiceError {
  return new ServiceError('not_found', 'There is no such passkey.');
}
