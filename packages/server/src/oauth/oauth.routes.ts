import {
  clientRegistration,
  mcpPath,
  oauthErrorStatuses,
  oauthPaths,
  revocationRequest,
  tokenRequest,
} from '@spaceport/contract/oauth';
import { issueOf, parseWith } from '@spaceport/contract/parse';
import { usualScopes } from '@spaceport/contract/scopes';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Tokens } from '../accounts/tokens.ts';
import type { Platform } from '../platform/context.ts';
import { ServiceError } from '../platform/errors.ts';
import { toErrorAnswer } from '../platform/http/errors.ts';
import { parseJsonBody } from '../platform/http/json.ts';
import { fromFramework } from '../platform/http/server.ts';
import { networkOf } from '../platform/limits/address-network.ts';
import { SharedBuckets } from '../platform/limits/shared-buckets.ts';
import { requireTaken } from '../platform/limits/token-buckets.ts';
import type { Clients } from './clients.ts';
import { createExchange } from './exchange.ts';
import { OAuthError } from './oauth-error.ts';

const maxBodyBytes = 16 * 1024;
/**
 * The limit of one network for exchanges and revocations. Codes and tokens cannot be guessed: the limit
 * bounds the cost of tries.
 */
const callsPerMinute = 120;

const config = { fromAnySite: true } as const;

/**
 * Mounts the routes that programs call when they sign somebody in. The page for the person is
 * pages/authorize.page.ts.
 */
export function mountOAuth(
  app: FastifyInstance,
  platform: Platform,
  { tokens, clients }: { tokens: Tokens; clients: Clients },
): void {
  const { urls, clock, together } = platform;
  const exchange = createExchange(platform, tokens);
  const calls = new SharedBuckets(together, 'calls of programs', callsPerMinute);
  const requireCalm = ({ address }: FastifyRequest) => requireTaken([calls.take(networkOf(address))]);

  const describe = (path: string, document: object) =>
    app.get(path, { exposeHeadRoute: true, config }, async (_request, reply) =>
      reply.header('cache-control', 'public, max-age=300').send(document),
    );
  const resource = protectedResource(urls.app);
  describe(oauthPaths.protectedResource, resource);
  describe(oauthPaths.protectedResource + mcpPath, resource);
  describe(oauthPaths.authorizationServer, authorizationServer(urls.app));

  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, text, done) => done(null, text));
    scope.setErrorHandler((error, request, reply) => {
      const { code, status, headers, message } = spelled(fromFramework(error, request), request.id);
      if (code === 'server_error') request.log.error({ err: error }, 'unexpected error');
      void uncached(reply).code(status).headers(headers).send({ error: code, error_description: message });
    });

    scope.post(oauthPaths.token, { bodyLimit: maxBodyBytes, config }, async (request, reply) => {
      await requireCalm(request);
      const form = formIn(String(request.body ?? ''));
      if (form.grant_type !== undefined && form.grant_type !== 'authorization_code')
        throw new OAuthError('unsupported_grant_type', 'grant_type must be authorization_code.');
      const granted = await exchange(parsed(tokenRequest, form, 'invalid_request'));
      return uncached(reply).send({
        access_token: granted.token,
        token_type: 'Bearer',
        expires_in: Math.floor((granted.expiresAt - clock.now()) / 1000),
        scope: granted.scopes.join(' '),
        ...(granted.space !== null && { space: granted.space }),
      });
    });

    scope.post(oauthPaths.revoke, { bodyLimit: maxBodyBytes, config }, async (request, reply) => {
      await requireCalm(request);
      const { token } = parsed(revocationRequest, formIn(String(request.body ?? '')), 'invalid_request');
      await tokens.revokeHeld(token);
      return uncached(reply).send();
    });

    scope.post(oauthPaths.register, { bodyLimit: maxBodyBytes, config }, async (request, reply) => {
      const wish = parsed(clientRegistration, jsonIn(String(request.body ?? '')), 'invalid_client_metadata');
      const client = await clients.register(wish, request.address);
      return uncached(reply)
        .code(201)
        .send({
          client_id: client.id,
          client_id_issued_at: Math.floor(client.createdAt / 1000),
          client_name: client.name,
          redirect_uris: client.redirectUris,
          grant_types: ['authorization_code'],
          response_types: ['code'],
          token_endpoint_auth_method: 'none',
        });
    });
  });
}

/** The metadata of the protected resource (RFC 9728). */
function protectedResource(app: string) {
  return {
    resource: app + mcpPath,
    authorization_servers: [app],
    scopes_supported: usualScopes,
    bearer_methods_supported: ['header'],
    resource_name: 'Spaceport',
    resource_documentation: `${app}/llms.txt`,
  };
}

/** The metadata of the authorization server (RFC 8414). */
function authorizationServer(app: string) {
  return {
    issuer: app,
    authorization_endpoint: app + oauthPaths.authorize,
    token_endpoint: app + oauthPaths.token,
    registration_endpoint: app + oauthPaths.register,
    revocation_endpoint: app + oauthPaths.revoke,
    revocation_endpoint_auth_methods_supported: ['none'],
    scopes_supported: usualScopes,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code'],
    token_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    client_id_metadata_document_supported: true,
    authorization_response_iss_parameter_supported: true,
    service_documentation: `${app}/llms.txt`,
  };
}

function uncached(reply: FastifyReply): FastifyReply {
  return reply.headers({ 'cache-control': 'no-store', pragma: 'no-cache' });
}

function formIn(text: string): Record<string, string> {
  const form: Record<string, string> = Object.create(null);
  for (const [name, value] of new URLSearchParams(text)) {
    if (form[name] !== undefined)
      throw new OAuthError('invalid_request', `${name.slice(0, 60)} is there twice.`);
    form[name] = value;
  }
  return form;
}

function jsonIn(text: string): unknown {
  try {
    return parseJsonBody(text);
  } catch (error) {
    throw error instanceof ServiceError ? new OAuthError('invalid_client_metadata', error.message) : error;
  }
}

function parsed<S extends z.ZodType>(
  schema: S,
  value: unknown,
  code: 'invalid_request' | 'invalid_client_metadata',
): z.output<S> {
  const answer = parseWith(schema, value);
  if (answer.success) return answer.data;
  const issues = answer.problems.map(issueOf).map(({ path, message }) => `${path} ${message}`.trim());
  throw new OAuthError(code, `${issues.slice(0, 5).join('; ')}.`);
}

function spelled(error: unknown, requestId: string) {
  if (error instanceof OAuthError)
    return { code: error.code, status: oauthErrorStatuses[error.code], headers: {}, message: error.message };
  const { code, status, headers, body } = toErrorAnswer(error, 'plain', requestId);
  const isLater = status === 429 || status === 503;
  const name = isLater ? 'temporarily_unavailable' : status < 500 ? 'invalid_request' : 'server_error';
  return {
    code: name,
    status,
    headers,
    message: code === 'server_error' ? 'Something went wrong on our side.' : String(body.message),
  };
}
