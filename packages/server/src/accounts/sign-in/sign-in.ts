import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { provesOwnerSeconds } from '@spaceport/contract/own-account';
import type { Platform } from '../../platform/context.ts';
import { type AccountId, givenId } from '../../platform/db/ids.ts';
import type { Tx } from '../../platform/db/tx.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { Mail } from '../../platform/mail/mailer.ts';
import { queueMail } from '../../platform/mail/outbox.ts';
import {
  changePassword,
  emailIsTaken,
  findIdByEmail,
  findPasswordHash,
  keepPassword,
} from '../accounts.queries.ts';
import { checkPassword, invalidField, parseEmail } from '../credentials.ts';
import { requireInvitation } from '../invitation.ts';
import type { Limits } from '../limits.ts';
import { makeAccount } from '../new-account.ts';
import { hashPassword, isPassword, type PasswordCost } from '../password-hash.ts';
import { lockAccount } from '../standing.queries.ts';
import { requireStanding } from '../standing.ts';
import { type AddressLink, dropAddressLinks } from './address-links.queries.ts';
import { followAddressLink, issueAddressLink } from './address-links.ts';
import { withdrawApprovals } from './approved-codes.queries.ts';
import { linkSeconds, newAddressMail, resetMail, verificationMail } from './messages.ts';
import {
  dropSecrets,
  findSecret,
  insertSecret,
  type Presented,
  useSecret,
} from './one-time-secrets.queries.ts';
import { proveAddress } from './proven-address.ts';
import { resetKind } from './reset-job.ts';
import { deleteAllSessions } from './sessions.queries.ts';
import type { Session, Sessions } from './sessions.ts';

/** A browser's request to be signed in: its network address and its headers. */
export interface Visit {
  readonly address: string;
  readonly headers: IncomingHttpHeaders;
}

/** Set-Cookie headers for the answer. */
export type SetCookies = readonly string[];

/**
 * Signing in, and changing passwords and addresses. The calls count against limits, and throw
 * `rate_limited` over them.
 */
export interface SignIn {
  /**
   * Makes an account and signs it in.
   * @throws `invalid`, naming the field that is bad or taken
   */
  signUp(account: NewPerson, visit: Visit): Promise<SetCookies>;
  /**
   * Begins a new session, and ends the one that the browser had.
   * @throws `unauthorized` for a wrong e-mail address or password, without saying which, `invalid` if one of
   * them is empty, and `forbidden` for a banned account
   */
  signIn(credentials: { email: string; password: string }, visit: Visit): Promise<SetCookies>;
  /** Sends a link if the account's address is not confirmed yet. */
  sendVerification(session: Session, visit: Visit): Promise<void>;
  /**
   * Sends a link to the new address. Returns the address as it will be stored.
   * @throws `invalid` for a wrong password and for an address that has an account
   */
  changeEmail(session: Session, change: { email: string; password: string }, visit: Visit): Promise<string>;
  /** @throws `invalid` for a link that is wrong or too old */
  verify(token: string): Promise<void>;
  /** Sends a link if there is such an account. The answer does not reveal whether there is. */
  requestReset(email: string, visit: Visit): Promise<void>;
  /** Does the part of `requestReset` that a job runs, for an address that may have no account. */
  sendResetLink(email: string): Promise<void>;
  /**
   * Sets the password and ends every session.
   * @throws `invalid` for a link that is wrong, used or too old
   */
  reset(token: string, password: string): Promise<void>;
  /**
   * Sets the password and ends every other session.
   * @throws `invalid` for a wrong current password
   */
  changePassword(session: Session, change: PasswordChange, visit: Visit): Promise<SetCookies>;
  /**
   * Checks that the owner is present: by the password, or by a session that has just begun.
   * @throws `invalid` for a wrong password and for a session that is too old
   */
  proveOwner(session: Session, password: string | undefined, visit: Visit): Promise<void>;
}

/** What somebody gives who signs up. */
export interface NewPerson {
  readonly name: string;
  readonly email: string;
  readonly password: string;
  /** The invitation code. */
  readonly code?: string | undefined;
}

export interface PasswordChange {
  readonly current: string;
  readonly next: string;
}

/** @param passwordCost the hashing cost of new passwords; the usual one if absent */
export function createSignIn(
  platform: Platform,
  sessions: Sessions,
  limits: Limits,
  passwordCost?: PasswordCost,
): SignIn {
  const { database, clock, config, urls } = platform;

  async function provePassword(creatorId: AccountId, email: string, password: string, visit: Visit) {
    await limits.signIn(email, visit.address);
    const kept = await findPasswordHash(database.db, creatorId);
    if (!(await isPassword(kept, password))) throw wrongPassword('password');
    await limits.signedIn(email, visit.address);
  }

  async function sendLink(
    tx: Tx,
    link: AddressLink,
    write: (to: string, appOrigin: string, token: string) => Mail,
  ): Promise<void> {
    const token = await issueAddressLink(tx, link);
    await queueMail(tx, write(link.to, urls.app, token));
  }

  return {
    async signUp(account, visit) {
      const email = parseEmail(account.email);
      checkPassword(account.password);
      // It also limits how many codes can be guessed.
      await limits.signUp(visit.address);
      requireInvitation(config.SIGN_UP_CODE, account.code);
      const creatorId = await makeAccount(
        platform,
        {
          handle: null,
          name: account.name,
          email,
          passwordHash: await hashPassword(account.password, passwordCost),
          operator: 'if_first',
        },
        (tx, id) => sendLink(tx, { creatorId: id, from: email, to: email }, verificationMail),
      );
      return [await database.transaction((tx) => sessions.begin(tx, creatorId, visit.headers))];
    },

    async signIn({ email: typed, password }, visit) {
      const email = typed.trim().toLowerCase();
      if (email === '') throw invalidField('email', 'is missing');
      if (password === '') throw invalidField('password', 'is missing');
      await limits.signIn(email, visit.address);
      const creatorId = await findIdByEmail(database.db, email);
      const kept = creatorId && (await findPasswordHash(database.db, creatorId));
      if (!(await isPassword(kept, password)) || !creatorId) throw wrongCredentials();
      const cookie = await database.transaction(async (tx) => {
        const begun = await sessions.begin(tx, creatorId, visit.headers);
        // The password may have changed while it was hashed: the old one must not sign in.
        if ((await findPasswordHash(tx.db, creatorId)) !== kept) throw wrongCredentials();
        return begun;
      });
      await limits.signedIn(email, visit.address);
      return [cookie];
    },

    async sendVerification({ creator, email, emailVerified }, visit) {
      if (emailVerified) return;
      await limits.mail(email, visit.address);
      const link = { creatorId: creator.id, from: email, to: email };
      await database.transaction((tx) => sendLink(tx, link, verificationMail));
    },

    async changeEmail(session, { email, password }, visit) {
      const { creator, email: from } = session;
      const to = parseEmail(email);
      if (to === from) throw invalidField('email', 'is already your address');
      await provePassword(creator.id, from, password, visit);
      if (await emailIsTaken(database.db, to)) throw invalidField('email', 'has an account already');
      await limits.mail(to, visit.address);
      await database.transaction(async (tx) => {
        await requireStanding(tx, session);
        await sendLink(tx, { creatorId: creator.id, from, to }, newAddressMail);
      });
      return to;
    },

    async proveOwner({ creator, email, createdAt }, password, visit) {
      if (password !== undefined) return provePassword(creator.id, email, password, visit);
      if (createdAt <= clock.now() - provesOwnerSeconds * 1_000)
        throw invalidField('password', 'is needed, or sign in again with a passkey first');
    },

    verify: (token) => followAddressLink(platform, token),

    async requestReset(typed, visit) {
      const email = parseEmail(typed);
      await limits.mail(email, visit.address);
      await database.transaction((tx) => tx.enqueue(resetKind, email));
    },

    async sendResetLink(email) {
      const secret = randomBytes(32).toString('base64url');
      await database.transaction(async (tx) => {
        const creatorId = await findIdByEmail(tx.db, email);
        if (creatorId === null) return;
        const expiresAt = tx.now + linkSeconds * 1000;
        await insertSecret(tx.db, resetLink(secret), { value: creatorId, now: tx.now, expiresAt });
        await queueMail(tx, resetMail(email, urls.app, secret));
      });
    },

    async reset(token, password) {
      checkPassword(password);
      // A wrong link is refused before the costly hashing.
      if ((await findSecret(database.db, resetLink(token), clock.now())) === null) throw wrongLink();
      const passwordHash = await hashPassword(password, passwordCost);
      await database.transaction(async (tx) => {
        const kept = await useSecret(tx.db, resetLink(token), tx.now);
        if (kept === null) throw wrongLink();
        const creatorId = givenId('usr', kept);
        await lockAccount(tx, creatorId);
        await dropSecrets(tx, creatorId);
        await keepPassword(tx, { creatorId, passwordHash });
        await proveAddress(tx, creatorId);
        await deleteAllSessions(tx, creatorId);
      });
    },

    async changePassword({ creator, email }, { current, next }, visit) {
      checkPassword(next);
      await limits.signIn(email, visit.address);
      const from = await findPasswordHash(database.db, creator.id);
      if (!(await isPassword(from, current)) || from === null) throw wrongPassword('current');
      const to = await hashPassword(next, passwordCost);
      const cookie = await database.transaction(async (tx) => {
        await lockAccount(tx, creator.id);
        if (!(await changePassword(tx, { creatorId: creator.id, from, to }))) throw wrongPassword('current');
        await deleteAllSessions(tx, creator.id);
        // People change the password when they fear for the account, so links that would change its
        // address or reset the password, and approvals, which are in no list of theirs, stop working.
        await dropAddressLinks(tx, creator.id);
        await dropSecrets(tx, creator.id);
        await withdrawApprovals(tx, creator.id);
        return sessions.begin(tx, creator.id, visit.headers);
      });
      await limits.signedIn(email, visit.address);
      return [cookie];
    },
  };
}

/** Returns the secret in a link that resets a password. */
function resetLink(secret: string): Presented {
  return { purpose: 'reset-password', secret };
}

function wrongLink(): ServiceError {
  const message = 'is wrong, used or too old; ask for a new one';
  return new ServiceError('invalid', `The link ${message}.`, { issues: [{ path: 'token', message }] });
}

function wrongPassword(path: string): ServiceError {
  const message = 'is not your password';
  return new ServiceError('invalid', 'The current password is wrong.', { issues: [{ path, message }] });
}

function wrongCredentials(): ServiceError {
  return new ServiceError('unauthorized', 'The e-mail address or the password is wrong.');
}
