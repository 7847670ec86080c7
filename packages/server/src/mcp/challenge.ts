import { mcpPath, oauthPaths } from '@spaceport/contract/oauth';
import type { Scope } from '@spaceport/contract/scopes';
import { usualScopes } from '@spaceport/contract/scopes';
import { ServiceError } from '../platform/errors.ts';

/** Returns a refusal with the data that a client needs to start a sign-in (RFC 9728 §5.1, RFC 6750 §3). */
export function signInNeeded(
  app: string,
  { message, scope, isWrong }: { message: string; scope: Scope | null; isWrong: boolean },
): ServiceError {
  const scopes = scope === null ? usualScopes.join(' ') : scope;
  const metadata = `${app}${oauthPaths.protectedResource}${mcpPath}`;
  const parts = [
    `resource_metadata="${metadata}"`,
    `scope="${scopes}"`,
    ...(isWrong ? ['error="invalid_token"'] : []),
  ];
  return new ServiceError('unauthorized', message, {
    challenge: `Bearer ${parts.join(', ')}`,
    next: () =>
      `Sign in where your client offers it: it finds how at ${metadata}. Or make an API token at ${app}/settings, and send it as «Authorization: Bearer <API token>».`,
  });
}
