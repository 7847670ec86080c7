import { randomBytes } from 'node:crypto';
import { mcpPath } from '@spaceport/contract/oauth';
import { isScope, type Scope, scopes, usualScopes } from '@spaceport/contract/scopes';
import { ownSpace, requireGrantable } from '../accounts/own-tokens.ts';
import type { Session } from '../accounts/sign-in/sessions.ts';
import { requireStanding } from '../accounts/standing.ts';
import { scopesToText } from '../accounts/token-reach.ts';
import type { Platform } from '../platform/context.ts';
import { ServiceError } from '../platform/errors.ts';
import { hashSecret } from '../platform/secrets/secret.ts';
import { noteUse } from './clients.queries.ts';
import type { Client, Clients } from './clients.ts';
import { insertCode } from './codes.queries.ts';
import { isRegistered, withAnswer } from './redirect-uri.ts';

/** A program's request to a person. */
export interface Asked {
  readonly client: Client;
  readonly redirectUri: string;
  readonly scopes: readonly Scope[];
  readonly state: string | undefined;
  readonly challenge: string;
}

/** The access that the person grants. */
export interface Given {
  readonly scopes: readonly Scope[];
  /** The slug of the one space that the token is for; null for all. */
  readonly space: string | null;
}

/** The address to which the person is sent with a refusal for the program. */
export interface SentBack {
  readonly redirect: string;
}

export interface Authorizations {
  /**
   * Reads the request in the address of the page (RFC 6749 §4.1.1).
   * @throws `invalid` if the person cannot be sent back: the program is not known, or
   * the address is not its own
   */
  read(query: Readonly<Record<string, string>>, session: Session): Promise<Asked | SentBack>;
  /**
   * Returns the address to which the person is sent after the decision. A null `given` refuses.
   * @throws `invalid` for scopes that were not asked for, or not for one space alone, `forbidden` for
   * `operate` if the person is not an operator, `not_found` for a space that is not theirs, and
   * `unauthorized` if the session has ended
   */
  decide(asked: Asked, session: Session, given: Given | null): Promise<string>;
}

/** The life of a code is short, because the waiting program exchanges it at once. */
const codeSeconds = 60;
const maxStateLength = 2_000;

export function createAuthorizations(
  { database, urls }: Pick<Platform, 'database' | 'urls'>,
  clients: Pick<Clients, 'find'>,
): Authorizations {
  const answer = (to: Pick<Asked, 'redirectUri' | 'state'>, more: Record<string, string>) =>
    withAnswer(to.redirectUri, { ...more, state: to.state, iss: urls.app });

  return {
    async read(query, session) {
      const { client_id: clientId, redirect_uri: redirectUri } = query;
      if (clientId === undefined) throw unanswerable('«client_id» is missing.');
      const client = await clients.find(clientId, session.creator.id);
      if (redirectUri === undefined) throw unanswerable('«redirect_uri» is missing.');
      if (!isRegistered(redirectUri, client.redirectUris))
        throw unanswerable('«redirect_uri» is not an address of the program that wants to sign in.');
      const { state, code_challenge: challenge = '' } = query;
      const to = { redirectUri, state: state?.slice(0, maxStateLength) };
      const problem = problemIn(query, urls.app);
      if (problem !== null) return { redirect: answer(to, problem) };
      const asked = scopesIn(query.scope);
      if (asked.length === 0)
        return {
          redirect: answer(to, {
            error: 'invalid_scope',
            error_description: 'None of these scopes is known.',
          }),
        };
      return { client, scopes: asked, challenge, ...to };
    },

    async decide(asked, session, given) {
      const { creator } = session;
      if (given === null) return answer(asked, { error: 'access_denied' });
      const { scopes: ticked, space } = given;
      if (ticked.some((scope) => !asked.scopes.includes(scope)))
        throw new ServiceError('invalid', 'Only scopes that the program asked for can be given.');
      requireGrantable(ticked, { operator: creator.operator, oneSpace: space !== null });
      const code = randomBytes(32).toString('base64url');
      const { client, redirectUri, challenge } = asked;
      await database.transaction(async (tx) => {
        await requireStanding(tx, session);
        await insertCode(tx, {
          hash: hashSecret(code),
          client_id: client.id,
          client_name: client.site === null ? client.name : `${client.name} (${client.site})`,
          redirect_uri: redirectUri,
          challenge,
          scopes: scopesToText(ticked),
          space_id: space === null ? null : (await ownSpace(tx, creator.id, space)).id,
          creator_id: creator.id,
          created_at: tx.now,
          expires_at: tx.now + codeSeconds * 1000,
        });
        await noteUse(tx, client.id);
      });
      return answer(asked, { code });
    },
  };
}

/** Returns the requested scopes that are known, in the order of `scopes`; the usual ones if none is named. */
function scopesIn(text: string | undefined): readonly Scope[] {
  const named = (text ?? '').split(' ').filter((name) => name !== '');
  if (named.length === 0) return usualScopes;
  const known = new Set(named.filter(isScope));
  return scopes.filter((scope) => known.has(scope));
}

function problemIn(
  { response_type, code_challenge, code_challenge_method, resource }: Readonly<Record<string, string>>,
  app: string,
): { error: string; error_description: string } | null {
  const refuse = (error: string, error_description: string) => ({ error, error_description });
  if (response_type !== 'code') return refuse('unsupported_response_type', 'response_type must be code.');
  if (!/^[A-Za-z0-9_-]{43}$/u.test(code_challenge ?? ''))
    return refuse('invalid_request', 'code_challenge is needed: the SHA-256 of a code_verifier (RFC 7636).');
  if (code_challenge_method !== 'S256')
    return refuse('invalid_request', 'code_challenge_method must be S256.');
  if (!isOwnResource(resource, app)) return refuse('invalid_target', `resource must be ${app}${mcpPath}.`);
  return null;
}

/** Returns whether a token for the resource would be for this service. Without a resource it is. */
export function isOwnResource(resource: string | undefined, app: string): boolean {
  return (
    resource === undefined || [app, `${app}/`, `${app}${mcpPath}`, `${app}${mcpPath}/`].includes(resource)
  );
}

function unanswerable(message: string): ServiceError {
  return new ServiceError('invalid', message);
}
