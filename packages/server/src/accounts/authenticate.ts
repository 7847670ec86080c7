import {
  claimCredentials,
  errorsOf,
  type Operation,
  sessionCredentials,
} from '@spaceport/contract/operation';
import { accountHeader, guestKeyPattern, guestScheme } from '@spaceport/contract/player';
import type { Scope } from '@spaceport/contract/scopes';
import { claimHeader } from '@spaceport/contract/versions';
import type { AccountId } from '../platform/db/ids.ts';
import { type NextStep, ServiceError } from '../platform/errors.ts';
import type { Authenticate, Credentialed } from '../platform/http/admit.ts';
import type { Caller, CreatorCaller, GuestCaller, SpaceCaller } from '../platform/http/caller.ts';
import { isSafeMethod, senderOf } from '../platform/http/same-origin.ts';
import { hashSecret, secretKind } from '../platform/secrets/secret.ts';
import { type Soon, whenKnown } from '../platform/when-known.ts';
import type { Creator } from './accounts.queries.ts';
import type { Sessions } from './sign-in/sessions.ts';
import type { ResolvedToken } from './tokens.queries.ts';
import type { Tokens } from './tokens.ts';

/** The services that resolve credentials. */
export interface Credentials {
  readonly tokens: Pick<Tokens, 'resolve'>;
  readonly sessions: Sessions;
  readonly secrets: { resolve(secret: string): Soon<SpaceCaller> };
  /** Returns the name by which the pages of players know an account. */
  readonly accountName: (accountId: AccountId) => Promise<string>;
}

const bearer = /^Bearer +(\S+) *$/iu;

const guestKey = new RegExp(`^${guestScheme} +(\\S+) *$`, 'iu');

/**
 * Creates the function that resolves the credential of a request as its operation requires: an
 * API token, the session of a signed-in browser, or a claim token. For `session` a token does not count.
 * @throws `unauthorized` for a credential of the wrong kind
 */
export function createAuthenticate(credentials: Credentials, appOrigin: string): Authenticate {
  return { byHead: createByHead(credentials, appOrigin), byBody };
}

function createByHead(
  { tokens, sessions, secrets, accountName }: Credentials,
  appOrigin: string,
): Authenticate['byHead'] {
  /**
   * Returns the player. A guest's key takes precedence over a session: the guest's data belongs to the guest
   * until the account adopts it.
   * @throws `session_over` if the page names another account
   */
  async function playerOf(request: Credentialed, operation: Operation): Promise<Caller> {
    requireOwnPage(request, operation, appOrigin);
    const { authorization, [accountHeader]: named } = request.headers;
    const player = authorization === undefined ? await signedIn(request) : guestOf(authorization);
    if (named === undefined) return player;
    // Another tab may have signed in or out, of which the page does not know yet.
    if (player.kind === 'creator' && (await accountName(player.creatorId)) === named) return player;
    throw new ServiceError('session_over', 'That account is not signed in any more: open the space again.');
  }

  async function signedIn({ headers }: Credentialed): Promise<Caller> {
    const session = await sessions.find(headers);
    return session ? creatorCaller(session.creator, { claim: null }) : { kind: 'anonymous' };
  }

  function lookUp(request: Credentialed, operation: Operation): Soon<Caller | null> {
    const { credential } = operation;
    if (credential === 'player') return playerOf(request, operation);
    const claim = readClaim(request.headers[claimHeader]);
    const takesToken = credential !== 'claim' && credential !== 'session';
    const token = takesToken ? bearerOf(request, 'API token') : undefined;
    if (token === undefined) return withoutToken(request, operation, claim);
    return whenKnown(resolve(token), (resolved) => {
      if (resolved.creator.bannedAt !== null) refuseBanned(operation);
      return admit({ creator: resolved.creator, token: resolved, claim }, operation);
    });
  }

  function resolve(token: string): Soon<ResolvedToken> {
    const resolved = tokens.resolve(token);
    if (!(resolved instanceof Promise)) return resolved;
    return resolved.catch((error: unknown) => {
      // Only checked for unknown tokens: the check takes as long as the rest of the look-up.
      requireTokenKind(token);
      throw error;
    });
  }

  async function withoutToken(
    request: Credentialed,
    operation: Operation,
    claim: string | null,
  ): Promise<Caller | null> {
    const { credential } = operation;
    if (sessionCredentials.has(credential) && sessions.hasCookie(request.headers)) {
      requireOwnPage(request, operation, appOrigin);
      const session = await sessions.find(request.headers);
      if (session) return admit({ creator: session.creator, token: null, claim }, operation);
    }
    if (claimCredentials.has(credential)) {
      if (claim !== null) return { kind: 'claim', claim };
      return credential === 'token_or_none' ? { kind: 'anonymous' } : null;
    }
    if (credential === 'session')
      throw unauthorized('Sign in to your account in a browser first.', besideSession(operation));
    throw unauthorized(needed(operation));
  }

  return (request, operation) => {
    const { credential } = operation;
    if (credential === 'none') return { kind: 'anonymous' };
    if (credential === 'secret') return secrets.resolve(bearerOf(request, "the space's secret") ?? '');
    if (credential !== 'own_page') return lookUp(request, operation);
    requireOwnPage(request, operation, appOrigin);
    return { kind: 'anonymous' };
  };
}

/** Takes a claim token from the body, if the head has none. */
function byBody(caller: Caller | null, { headers, body }: Credentialed, operation: Operation): Caller {
  const mayClaim = claimCredentials.has(operation.credential) && headers[claimHeader] === undefined;
  const claim =
    mayClaim && typeof body === 'object' && body !== null && 'claim' in body ? readClaim(body.claim) : null;
  if (claim !== null) return caller?.kind === 'creator' ? { ...caller, claim } : { kind: 'claim', claim };
  if (caller === null) throw unauthorized(needed(operation));
  return caller;
}

/** Says which credential the operation takes, for a caller that sent none. */
function needed({ credential }: Operation): string {
  const token = 'An API token is needed: send it as «Authorization: Bearer <API token>»';
  if (credential === 'claim') return `A claim token is needed: send it in the header ${claimHeader}.`;
  return credential === 'token_or_claim' ? `${token}, or a claim token in ${claimHeader}.` : `${token}.`;
}

/** Returns the credential in the authorization header; undefined if there is no such header. */
function bearerOf({ headers }: Credentialed, what: string): string | undefined {
  if (headers.authorization === undefined) return undefined;
  const credential = bearer.exec(headers.authorization)?.[1];
  if (credential === undefined) throw unauthorized(`The authorization header is not «Bearer <${what}>».`);
  return credential;
}

function guestOf(authorization: string): GuestCaller {
  const key = guestKey.exec(authorization)?.[1];
  if (key === undefined || !guestKeyPattern.test(key))
    throw unauthorized(`The authorization header is not «${guestScheme} <256 bits in base64url>».`);
  return { kind: 'guest', keyHash: hashSecret(key) };
}

/**
 * Browsers send the session cookie with requests from any site, so only the service's own pages may
 * change something with it.
 */
function requireOwnPage(request: Credentialed, { edge }: Operation, appOrigin: string): void {
  if (isSafeMethod(request.method) || senderOf(request.headers, appOrigin) === 'same-origin') return;
  const code = edge === 'hosting' ? 'cross_site' : 'forbidden';
  throw new ServiceError(code, "The request was sent from another site's page.");
}

/**
 * Refuses a banned account. Such an account has no session, and its API tokens do not work until the ban is
 * lifted. Operations that also accept a claim token refuse the account themselves, with their own codes.
 */
function refuseBanned(operation: Operation): void {
  if (operation.errors.includes('claim_banned')) return;
  const code = errorsOf(operation).includes('forbidden') ? 'forbidden' : 'unauthorized';
  throw new ServiceError(code, 'This account is banned.');
}

/** Returns the account if its token has the scope. This is the only place that checks scopes. */
function admit(
  { creator, token, claim }: { creator: Creator; token: ResolvedToken | null; claim: string | null },
  { credential, scope }: Operation,
): CreatorCaller {
  if (credential === 'operator' && (!creator.operator || creator.bannedAt !== null)) {
    throw new ServiceError('forbidden', 'Only an operator may do this.');
  }
  if (token === null) return creatorCaller(creator, { claim });
  if (scope !== undefined && !token.scopes.includes(scope)) throw outOfScope(scope, token);
  const operator = creator.operator && token.scopes.includes('operate');
  return {
    ...creatorCaller({ ...creator, operator }, { claim }),
    tokenId: token.tokenId,
    onlySpace: token.space,
  };
}

function outOfScope(scope: Scope, { scopes }: ResolvedToken): ServiceError {
  const has = scopes.map((one) => `«${one}»`).join(', ');
  return new ServiceError(
    'forbidden',
    `The token lacks the scope «${scope}» that this call asks for: it is for ${has}.`,
    {
      scope,
      scopes,
    },
  );
}

/** Returns an account as features see it, for a request of a browser that is signed in to it. */
export function creatorCaller(
  { id, handle, operator, bannedAt }: Creator,
  { claim }: Pick<CreatorCaller, 'claim'>,
): CreatorCaller {
  const banned = bannedAt !== null;
  return { kind: 'creator', creatorId: id, handle, operator, banned, tokenId: null, onlySpace: null, claim };
}

function readClaim(claim: unknown): string | null {
  if (claim === undefined) return null;
  const kind = typeof claim === 'string' ? secretKind(claim) : null;
  if (kind !== null && kind !== 'claim') throw unauthorized('This is not a claim token.');
  if (typeof claim !== 'string' || kind === null) {
    throw new ServiceError('claim_not_found', 'The claim token is wrong.');
  }
  return claim;
}

/** Refuses a credential of another kind, and says where that kind is used. */
function requireTokenKind(token: string): void {
  const kind = secretKind(token);
  if (kind === 'claim')
    throw unauthorized(
      'This is a claim token, not an API token.',
      (app) =>
        `Send it in the header ${claimHeader}, or as «claim» in the body of POST ${app}/api/v1/hosting/versions.`,
    );
  if (kind === 'secret')
    throw unauthorized(
      'This is a board secret, not an API token.',
      (app) =>
        `It posts scores, stats and achievements: POST ${app}/api/v1/scores; an API token comes from POST ${app}/api/agent/login.`,
    );
}

/** Returns what to do with an API token instead of calling an operation for browsers. */
function besideSession({ id }: Operation): NextStep | undefined {
  if (id !== 'claimUnlisted') return undefined;
  return (app) =>
    `Open ${app}/claim#<claim token> in a browser, or POST ${app}/api/v1/hosting/versions with an API token and «claim»: that claims the page too.`;
}

function unauthorized(message: string, next?: NextStep): ServiceError {
  return new ServiceError('unauthorized', message, next ? { next } : {});
}
