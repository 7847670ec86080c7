import { claimHeader } from '@spaceport/contract/hosting';
import { ServiceError } from '../platform/errors.ts';
import type { Caller, CreatorCaller } from '../platform/http/caller.ts';
import type { Authenticate } from '../platform/http/operations.ts';
import { secretKind } from '../platform/secrets/secret.ts';
import type { ResolvedToken } from './accounts.queries.ts';
import type { Tokens } from './tokens.ts';

const bearer = /^Bearer +(\S+) *$/iu;

/** Resolves the credential of a request as its operation asks (contract §2). A wrong kind is `unauthorized`. */
export function createAuthenticate(tokens: Tokens): Authenticate {
  return async (request, operation): Promise<Caller> => {
    if (operation.credential === 'none') return { kind: 'anonymous' };
    const authorization = request.headers.authorization;
    const claim = readClaim(request.headers[claimHeader], request.body);
    if (authorization !== undefined && operation.credential !== 'claim') {
      const token = bearer.exec(authorization)?.[1];
      if (token === undefined) throw unauthorized('The authorization header is not «Bearer <API token>».');
      return toCaller(await tokens.resolve(token), claim);
    }
    if (
      operation.credential === 'token_or_none' ||
      operation.credential === 'token_or_claim' ||
      operation.credential === 'claim'
    ) {
      if (claim !== null) return { kind: 'claim', claim };
      if (operation.credential === 'token_or_none') return { kind: 'anonymous' };
    }
    throw unauthorized('An API token is needed: send it as «Authorization: Bearer <API token>».');
  };
}

function readClaim(header: string | string[] | undefined, body: unknown): string | null {
  const inBody = typeof body === 'object' && body !== null && 'claim' in body ? body.claim : undefined;
  const claim = header ?? inBody;
  if (claim === undefined) return null;
  const kind = typeof claim === 'string' ? secretKind(claim) : null;
  if (kind !== null && kind !== 'claim') throw unauthorized('That is not a claim token.');
  if (typeof claim !== 'string' || kind === null) {
    throw new ServiceError('claim_not_found', 'The claim token is wrong.');
  }
  return claim;
}

function toCaller({ creator, tokenId }: ResolvedToken, claim: string | null): CreatorCaller {
  return {
    kind: 'creator',
    creatorId: creator.id,
    handle: creator.handle,
    operator: creator.operator,
    banned: creator.bannedAt !== null,
    tokenId,
    claim,
  };
}

function unauthorized(message: string): ServiceError {
  return new ServiceError('unauthorized', message);
}
