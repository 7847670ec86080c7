import { z } from 'zod';

/**
 * OAuth 2.1 sign-in for programs, as the Model Context Protocol requires it. The answers follow the RFCs, not
 * the forms of our two edges.
 */
export const oauthPaths = {
  protectedResource: '/.well-known/oauth-protected-resource',
  authorizationServer: '/.well-known/oauth-authorization-server',
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  register: '/oauth/register',
  revoke: '/oauth/revoke',
} as const;

/** The path of /mcp, as used in `resource` (RFC 8707). */
export const mcpPath = '/mcp';

/** Codes of RFC 6749 §5.2, RFC 7591 §3.2.2 and RFC 8707 §2, with the status that each is answered with. */
export const oauthErrorStatuses = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  unsupported_grant_type: 400,
  invalid_target: 400,
  invalid_redirect_uri: 400,
  invalid_client_metadata: 400,
  temporarily_unavailable: 503,
  server_error: 500,
} as const;
export type OAuthErrorCode = keyof typeof oauthErrorStatuses;

const parameter = z.string().min(1).max(2_000);

/** The body of a request to the token endpoint. Unknown fields are ignored (RFC 6749 §3.2). */
export const tokenRequest = z.object({
  grant_type: parameter,
  code: parameter,
  redirect_uri: parameter,
  client_id: parameter,
  code_verifier: z.string().regex(/^[A-Za-z0-9\-._~]{43,128}$/u, 'must be 43 to 128 unreserved characters'),
  resource: parameter.optional(),
});
export type TokenRequest = z.output<typeof tokenRequest>;

/** The body of a revocation (RFC 7009 §2.1). There is one kind of token, so `token_type_hint` is ignored. */
export const revocationRequest = z.object({ token: parameter });

const redirectUris = z.array(z.string().min(1).max(2_000)).min(1).max(10);

/** A client's registration (RFC 7591 §2); unknown fields are not stored. */
export const clientRegistration = z.object({
  client_name: z.string().max(80).optional(),
  redirect_uris: redirectUris,
});

/** The fields of a client ID metadata document. */
export const clientDocument = z.object({
  client_id: z.string(),
  client_name: z.string().min(1).max(200),
  redirect_uris: redirectUris,
  token_endpoint_auth_method: z.literal('none').optional(),
});
