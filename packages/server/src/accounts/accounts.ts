import type { Platform } from '../platform/context.ts';
import { isUniqueViolation } from '../platform/db/failures.ts';
import type { AccountId } from '../platform/db/ids.ts';
import type { Tx } from '../platform/db/tx.ts';
import { ServiceError } from '../platform/errors.ts';
import { type Creator, findCreator, findCreatorByHandle, setHandle, setName } from './accounts.queries.ts';
import { isBanned } from './ban.ts';
import { isSpentHandle } from './close-account.queries.ts';
import { checkPassword, parseEmail } from './credentials.ts';
import { invalidHandle, parseHandle } from './handle.ts';
import { noteHandleChosen } from './handle-chosen.ts';
import { makeAccount, requireUnspent } from './new-account.ts';
import { hashPassword } from './password-hash.ts';
import { setPlaysPublic } from './plays-public.queries.ts';
import { sessionIsOver } from './signed-in.ts';
import { lockAccount } from './standing.queries.ts';
import { findLiveTokenHashes } from './tokens.queries.ts';

export { anyAccount, type Creator, findCreator } from './accounts.queries.ts';
export { arePlaysPublic } from './plays-public.queries.ts';

export interface Accounts {
  /**
   * Creates an account with a handle, as operators do.
   * @throws `invalid`, naming the field that is bad or taken
   */
  create(account: { handle: string; email: string; password: string; operator: boolean }): Promise<Creator>;
  /** @throws `not_found` */
  byHandle(handle: string): Promise<Creator>;
  /** Returns what is wrong with a handle, as the end of a sentence; null if it could be chosen now. */
  checkHandle(handle: string): Promise<{ handle: string; problem: string | null }>;
  /**
   * Gives an account its handle, once.
   * @throws `invalid` for a bad or taken handle, `conflict` if the account has one
   */
  chooseHandle(creatorId: AccountId, handle: string): Promise<string>;
  rename(creatorId: AccountId, name: string): Promise<void>;
  /** Sets whether others can see what the account has unlocked. */
  showPlays(creatorId: AccountId, shown: boolean): Promise<void>;
  /** Returns the hashes among these that belong to working credentials, which uploads must not contain. */
  liveSecrets(hashes: readonly string[]): Promise<ReadonlySet<string>>;
}

/** Updates copies of an account's name elsewhere, in the transaction that changes the name. */
export type Renamed = (tx: Tx, creatorId: AccountId) => Promise<void>;

export function createAccounts(platform: Platform, renamed: Renamed): Accounts {
  const { database, clock } = platform;
  /**
   * Changes a creator, and makes every node drop what it has cached of them.
   * @throws `unauthorized` if the account was banned or deleted in the meantime: a name would be of nobody, and stay
   */
  const change = (creatorId: AccountId, work: (tx: Tx) => Promise<void>) =>
    database.transaction(async (tx) => {
      await lockAccount(tx, creatorId);
      if (await isBanned(tx, creatorId)) throw sessionIsOver();
      await work(tx);
      tx.announce('creator', creatorId);
    });

  return {
    async create({ handle, email, password, operator }) {
      // An operator may give a reserved handle, and chooses the password.
      const account = {
        handle: parseHandle(handle, { mayReserved: true }),
        name: handle,
        email: parseEmail(email),
        operator,
      };
      checkPassword(password, { minLength: 1 });
      const id = await makeAccount(platform, { ...account, passwordHash: await hashPassword(password) });
      const creator = await findCreator(database.db, id);
      if (!creator) throw new Error('the account that was just made is not there');
      return creator;
    },

    async byHandle(typed) {
      const handle = typed.replace(/^@/u, '').toLowerCase();
      const creator = await findCreatorByHandle(database.db, handle);
      if (!creator) throw new ServiceError('not_found', `There is no account @${handle}.`);
      return creator;
    },

    async checkHandle(typed) {
      try {
        const handle = parseHandle(typed);
        const isTaken =
          (await findCreatorByHandle(database.db, handle)) !== undefined ||
          (await isSpentHandle(database.db, handle));
        return { handle, problem: isTaken ? 'is taken' : null };
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        return { handle: typed, problem: error.details.issues?.[0]?.message ?? error.message };
      }
    },

    async chooseHandle(creatorId, typed) {
      const handle = parseHandle(typed);
      try {
        await change(creatorId, async (tx) => {
          if (await setHandle(tx, creatorId, handle)) {
            await noteHandleChosen(tx, creatorId);
            return requireUnspent(tx, handle);
          }
          throw new ServiceError('conflict', 'The account has a handle already.');
        });
      } catch (error) {
        if (isUniqueViolation(error)) throw invalidHandle('is taken');
        throw error;
      }
      return handle;
    },

    rename: (creatorId, name) =>
      change(creatorId, async (tx) => {
        await setName(tx, creatorId, name);
        await renamed(tx, creatorId);
      }),

    showPlays: (creatorId, shown) => change(creatorId, (tx) => setPlaysPublic(tx, creatorId, shown)),

    liveSecrets: async (hashes) => new Set(await findLiveTokenHashes(database.db, hashes, clock.now())),
  };
}
