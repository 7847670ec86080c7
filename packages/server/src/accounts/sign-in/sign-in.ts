import type { IncomingHttpHeaders } from 'node:http';
import { freshSessionSeconds } from '@spaceport/contract/own-account';
import type { Platform } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/tx.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { Mail } from '../../platform/mail/mailer.ts';
import { queueMail } from '../../platform/mail/outbox.ts';
import { installationKey } from '../../platform/secrets/installation-keys.ts';
import { emailIsTaken, findCreator, findPasswordHash } from '../accounts.queries.ts';
import { checkPassword, hashPassword, invalidField, isPassword, parseEmail } from '../credentials.ts';
import type { Limits } from '../limits.ts';
import { makeAccount } from '../new-account.ts';
import { type AddressLink, dropAddressLinks } from './address-links.queries.ts';
import { followAddressLink, issueAddressLink } from './address-links.ts';
import type { Auth } from './auth.ts';
import { newAddressMail, resetMail, verificationMail } from './messages.ts';
import { proveAddress } from './proven-address.ts';
import { resetKind } from './reset-job.ts';
import { sweepLinks } from './sessions.queries.ts';
import type { Session, Sessions } from './sessions.ts';

/** A browser's request to be signed in: where it comes from and what it carries. */
export interface Visit {
  readonly address: string;
  readonly headers: IncomingHttpHeaders;
}

/** Set-Cookie headers for the answer. */
export type SetCookies = readonly string[];

/** All of these count against limits and throw `rate_limited` when they are used up. */
export interface SignIn {
  /** Makes an account and signs it in. Throws `invalid`, naming the field that is bad or taken. */
  signUp(account: { name: string; email: string; password: string }, visit: Visit): Promise<SetCookies>;
  /**
   * A new session; the one that the browser had ends. Throws `unauthorized` for a wrong e-mail address or password,
   * which of them it does not say, and `forbidden` for a banned account.
   */
  signIn(credentials: { email: string; password: string }, visit: Visit): Promise<SetCookies>;
  /** Sends a link where the account's address is not confirmed yet. */
  sendVerification(session: Session, visit: Visit): Promise<void>;
  /**
   * Sends a link to the address that the account is to have. Throws `invalid` for a wrong password and for an address
   * that has an account. Answers the address as it will be kept.
   */
  changeEmail(session: Session, change: { email: string; password: string }, visit: Visit): Promise<string>;
  /** Throws `invalid` for a link that is wrong or too old. */
  verify(token: string): Promise<void>;
  /** Sends a link where there is such an account; says nothing about whether there is. */
  requestReset(email: string, visit: Visit): Promise<void>;
  /** What `requestReset` left to a job, for an address that may have no account. */
  sendResetLink(email: string): Promise<void>;
  /** Sets the password and ends every session. Throws `invalid` for a link that is wrong, used or too old. */
  reset(token: string, password: string): Promise<void>;
  /** Sets the password and ends every other session. Throws `invalid` for a wrong current password. */
  changePassword(session: Session, change: PasswordChange, visit: Visit): Promise<SetCookies>;
  /**
   * Is it really its owner who is there? By the password, or by a session that has just begun. Throws `invalid` for a wrong
   * password and for a session that is too old.
   */
  proveOwner(session: Session, password: string | undefined, visit: Visit): Promise<void>;
  /** better-auth itself, for the passkey routes. */
  auth(): Promise<Auth>;
}

export interface PasswordChange {
  readonly current: string;
  readonly next: string;
}

export function createSignIn(platform: Platform, sessions: Sessions, limits: Limits): SignIn {
  const { database, clock, urls } = platform;
  const load = createAuthLoader(platform);

  async function signIn({ email, password }: { email: string; password: string }, visit: Visit) {
    const before = await sessions.find(visit.headers);
    const { api } = await load();
    const { headers } = await answered(
      api.signInEmail({ body: { email, password }, headers: toHeaders(visit.headers), returnHeaders: true }),
    );
    if (before) await sessions.end(before.id);
    return headers.getSetCookie();
  }

  async function provePassword(creatorId: string, email: string, password: string, visit: Visit) {
    await limits.signIn(email, visit.address);
    if (!(await isPassword(await findPasswordHash(database.db, creatorId), password)))
      throw wrongPassword('password');
    await limits.signedIn(email, visit.address);
  }

  async function sendLink(
    tx: Tx,
    link: AddressLink,
    write: (to: string, appOrigin: string, token: string) => Mail,
  ): Promise<void> {
    const token = await issueAddressLink(tx, link, clock.now());
    await queueMail(tx, write(link.to, urls.app, token));
  }

  return {
    async signUp(account, visit) {
      const email = parseEmail(account.email);
      checkPassword(account.password);
      await limits.signUp(visit.address);
      await makeAccount(
        platform,
        {
          handle: null,
          name: account.name,
          email,
          passwordHash: await hashPassword(account.password),
          operator: 'if_first',
        },
        (tx, creatorId) => sendLink(tx, { creatorId, from: email, to: email }, verificationMail),
      );
      return signIn({ email, password: account.password }, visit);
    },

    async signIn(credentials, visit) {
      const email = credentials.email.trim().toLowerCase();
      await limits.signIn(email, visit.address);
      const cookies = await signIn({ email, password: credentials.password }, visit);
      await limits.signedIn(email, visit.address);
      return cookies;
    },

    async sendVerification({ creator, email, emailVerified }, visit) {
      if (emailVerified) return;
      await limits.mail(email, visit.address);
      const link = { creatorId: creator.id, from: email, to: email };
      await database.transaction((tx) => sendLink(tx, link, verificationMail));
    },

    async changeEmail({ creator, email: from }, { email, password }, visit) {
      const to = parseEmail(email);
      if (to === from) throw invalidField('email', 'is your address already');
      await provePassword(creator.id, from, password, visit);
      if (await emailIsTaken(database.db, to)) throw invalidField('email', 'has an account already');
      await limits.mail(to, visit.address);
      await database.transaction((tx) => sendLink(tx, { creatorId: creator.id, from, to }, newAddressMail));
      return to;
    },

    async proveOwner({ creator, email, createdAt }, password, visit) {
      if (password !== undefined) return provePassword(creator.id, email, password, visit);
      if (createdAt <= clock.now() - freshSessionSeconds * 1_000)
        throw invalidField('password', 'is needed, or sign in again with a passkey first');
    },

    verify: (token) => followAddressLink(platform, token),

    async requestReset(typed, visit) {
      const email = parseEmail(typed);
      await limits.mail(email, visit.address);
      await database.transaction((tx) => tx.enqueue(resetKind, email, clock.now()));
    },

    async sendResetLink(email) {
      const { api } = await load();
      await answered(api.requestPasswordReset({ body: { email } }));
    },

    async reset(token, password) {
      checkPassword(password);
      // By our clock; better-auth looks at the system's.
      await sweepLinks(database.db, clock.now());
      const { api } = await load();
      await answered(api.resetPassword({ body: { token, newPassword: password } }), () => {
        const message = 'is wrong, used or too old; ask for a new one';
        throw new ServiceError('invalid', `The link ${message}.`, { issues: [{ path: 'token', message }] });
      });
    },

    async changePassword({ creator, email }, { current, next }, visit) {
      checkPassword(next);
      await limits.signIn(email, visit.address);
      const { api } = await load();
      const { headers } = await answered(
        api.changePassword({
          body: { currentPassword: current, newPassword: next, revokeOtherSessions: true },
          headers: toHeaders(visit.headers),
          returnHeaders: true,
        }),
        () => {
          throw wrongPassword('current');
        },
      );
      await limits.signedIn(email, visit.address);
      // Somebody who fears for the account changes its password: no other address is under way any more.
      await database.transaction((tx) => dropAddressLinks(tx, creator.id));
      return headers.getSetCookie();
    },

    auth: load,
  };
}

/** better-auth is loaded at its first use: nothing of it is needed to serve, publish or start. */
function createAuthLoader(platform: Platform) {
  const { database, urls } = platform;
  const make = async () => {
    const [{ createAuth }, key] = await Promise.all([
      import('./auth.ts'),
      installationKey(database, 'session_key'),
    ]);
    const secret = key.toString('hex');
    return createAuth(platform, secret, {
      maySignIn: async (creatorId) => (await findCreator(database.db, creatorId))?.bannedAt === null,
      sendResetLink: (email, token) =>
        database.transaction((tx) => queueMail(tx, resetMail(email, urls.app, token))),
      passwordWasReset: (creatorId) => proveAddress(platform, creatorId),
    });
  };
  let made: ReturnType<typeof make> | null = null;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = null;
      throw error;
    });
    return made;
  };
}

/** What of a request better-auth may see. */
export function toHeaders({ cookie, 'user-agent': userAgent, origin }: IncomingHttpHeaders): Headers {
  const headers = new Headers();
  if (cookie !== undefined) headers.set('cookie', cookie);
  if (userAgent !== undefined) headers.set('user-agent', userAgent);
  if (origin !== undefined) headers.set('origin', origin);
  return headers;
}

/** better-auth's refusals as ours; anything else is a fault. */
async function answered<T>(call: Promise<T>, refuse: () => never = refuseSignIn): Promise<T> {
  try {
    return await call;
  } catch (error) {
    const { statusCode, body } = error as { statusCode?: unknown; body?: { code?: unknown } };
    if (body?.code === 'FAILED_TO_CREATE_SESSION') {
      throw new ServiceError('forbidden', 'This account is banned.');
    }
    if (typeof statusCode === 'number' && statusCode < 500) refuse();
    throw error;
  }
}

function wrongPassword(path: string): ServiceError {
  const message = 'is not your password';
  return new ServiceError('invalid', 'The current password is wrong.', { issues: [{ path, message }] });
}

function refuseSignIn(): never {
  throw new ServiceError('unauthorized', 'The e-mail address or the password is wrong.');
}
