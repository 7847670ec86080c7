import type { Platform } from '../platform/context.ts';
import { isUniqueViolation } from '../platform/db/dialect.ts';
import { ServiceError } from '../platform/errors.ts';
import { newId } from '../platform/secrets/id.ts';
import { type Creator, findCreatorByHandle, findLiveTokenHashes, insertCreator } from './accounts.queries.ts';

const handlePattern = /^[a-z][a-z0-9_]{2,23}$/u;

export interface Accounts {
  /** Makes an account with a handle. Throws `invalid` for a bad handle or one that is taken. */
  create(account: { handle: string; email: string; password: string; operator: boolean }): Promise<Creator>;
  /** Throws `not_found`. */
  byHandle(handle: string): Promise<Creator>;
  /** Which of these hashes are of credentials that still work: what an upload must not contain. */
  liveSecrets(hashes: readonly string[]): Promise<ReadonlySet<string>>;
}

export function createAccounts({ database, clock }: Platform): Accounts {
  return {
    async create({ handle, email, operator }) {
      const folded = handle.toLowerCase();
      if (!handlePattern.test(folded)) {
        throw invalid('handle', 'must be 3 to 24 of a-z, 0-9 and _, starting with a letter');
      }
      const id = newId('usr');
      try {
        await insertCreator(database.db, {
          id,
          handle: folded,
          name: handle,
          email: email.toLowerCase(),
          operator: operator ? 1 : 0,
          banned_at: null,
          created_at: clock.now(),
        });
      } catch (error) {
        if (isUniqueViolation(error)) throw invalid('handle', 'or the e-mail address is taken');
        throw error;
      }
      const creator = await findCreatorByHandle(database.db, folded);
      if (!creator) throw new Error('the account that was just made is not there');
      return creator;
    },
    async byHandle(handle) {
      const creator = await findCreatorByHandle(database.db, handle.replace(/^@/u, '').toLowerCase());
      if (!creator) throw new ServiceError('not_found', `There is no account @${handle}.`);
      return creator;
    },
    liveSecrets: async (hashes) => new Set(await findLiveTokenHashes(database.db, hashes, clock.now())),
  };
}

function invalid(path: string, message: string): ServiceError {
  return new ServiceError('invalid', `The ${path} ${message}.`, { issues: [{ path, message }] });
}
