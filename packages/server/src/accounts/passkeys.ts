import type { Platform } from '../platform/context.ts';
import type { AccountId, PasskeyId } from '../platform/db/ids.ts';
import { ServiceError } from '../platform/errors.ts';
import { deletePasskey, type ListedPasskey, listPasskeys, renamePasskey } from './passkeys.queries.ts';

export type { ListedPasskey } from './passkeys.queries.ts';

/** The passkeys of an account. They are made and used through passkey-ceremonies.ts. */
export interface Passkeys {
  list(creatorId: AccountId): Promise<ListedPasskey[]>;
  /** Both throw `not_found` if the passkey is not the creator's. */
  rename(creatorId: AccountId, passkeyId: PasskeyId, name: string): Promise<ListedPasskey>;
  remove(creatorId: AccountId, passkeyId: PasskeyId): Promise<void>;
}

export function createPasskeys({ database: { db } }: Pick<Platform, 'database'>): Passkeys {
  return {
    list: (creatorId) => listPasskeys(db, creatorId),
    async rename(creatorId, id, name) {
      const renamed = await renamePasskey(db, { creatorId, id, name });
      if (!renamed) throw noSuchPasskey();
      return renamed;
    },
    async remove(creatorId, id) {
      if (!(await deletePasskey(db, creatorId, id))) throw noSuchPasskey();
    },
  };
}

function noSuchPasskey(): ServiceError {
  return new ServiceError('not_found', 'There is no such passkey.');
}
