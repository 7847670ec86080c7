import { createHash } from 'node:crypto';
import type { TokenRequest } from '@spaceport/contract/oauth';
import type { Scope } from '@spaceport/contract/scopes';
import { findCreator } from '../accounts/accounts.ts';
import { ownSpaceById } from '../accounts/own-tokens.ts';
import { scopesFromText } from '../accounts/token-reach.ts';
import type { IssuedToken, Tokens } from '../accounts/tokens.ts';
import type { Platform } from '../platform/context.ts';
import type { AccountId, TokenId } from '../platform/db/ids.ts';
import type { Tx } from '../platform/db/tx.ts';
import { ServiceError } from '../platform/errors.ts';
import { hashSecret } from '../platform/secrets/secret.ts';
import { isOwnResource } from './authorization.ts';
import { type CodeRow, findCode, spendCode } from './codes.queries.ts';
import { OAuthError } from './oauth-error.ts';

export type Granted = IssuedToken & {
  readonly scopes: readonly Scope[];
  /** The slug of the one space that the token is for; null for all. */
  readonly space: string | null;
};
/** The outcome of an exchange. A code that comes a second time has leaked, so its token is revoked. */
type Outcome =
  | { readonly granted: Granted }
  | { readonly leaked: { creatorId: AccountId; tokenId: TokenId } };

/**
 * Creates the function that exchanges a code for a token, once (RFC 6749 §4.1.3).
 * @throws OAuthError
 */
export function createExchange(
  { database, urls }: Pick<Platform, 'database' | 'urls'>,
  tokens: Pick<Tokens, 'issue' | 'revoke'>,
): (request: TokenRequest) => Promise<Granted> {
  async function spend(tx: Tx, request: TokenRequest): Promise<Outcome> {
    const hash = hashSecret(request.code);
    // When two requests come at once, the second finds the code used.
    await tx.lock(`oauth-code:${hash}`);
    const code = await findCode(tx, hash);
    if (!code) throw refused('The code is unknown.');
    if (code.token_id !== null) return { leaked: { creatorId: code.creator_id, tokenId: code.token_id } };
    requireMatch(code, request, tx.now);
    const creator = await findCreator(tx.db, code.creator_id);
    if (!creator || creator.bannedAt !== null) throw refused('The account cannot sign in.');
    const scopes = scopesFromText(code.scopes);
    const spaceId = code.space_id;
    const space = spaceId === null ? null : await ownSpaceById(tx, creator.id, spaceId);
    // If the account no longer has the space, no token is issued.
    if (space === undefined) throw refused('The space of this sign-in is gone.');
    const issued = await tokens.issue(creator.id, { name: code.client_name, scopes, spaceId }, tx.db);
    if (!(await spendCode(tx, hash, issued.id))) throw refused('The code was used already.');
    return { granted: { ...issued, scopes, space: space?.slug ?? null } };
  }

  return async (request) => {
    if (!isOwnResource(request.resource, urls.app))
      throw new OAuthError('invalid_target', `resource must be ${urls.app}/mcp.`);
    const outcome = await database.transaction((tx) => spend(tx, request));
    if ('granted' in outcome) return outcome.granted;
    const { creatorId, tokenId } = outcome.leaked;
    await tokens.revoke(creatorId, tokenId).catch((error) => {
      // The token was revoked already.
      if (!(error instanceof ServiceError) || error.code !== 'not_found') throw error;
    });
    throw refused('The code was used already; the token it gave is revoked.');
  };
}

function requireMatch(code: CodeRow, request: TokenRequest, now: number): void {
  if (code.expires_at <= now) throw refused('The code has expired.');
  if (code.client_id !== request.client_id) throw refused('The code was given to another client_id.');
  if (code.redirect_uri !== request.redirect_uri)
    throw refused('redirect_uri is not the one the code was asked for with.');
  const challenge = createHash('sha256').update(request.code_verifier).digest('base64url');
  if (challenge !== code.challenge) throw refused('code_verifier does not fit code_challenge.');
}

function refused(message: string): OAuthError {
  return new OAuthError('invalid_grant', message);
}
