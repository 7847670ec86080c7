import { Readable } from 'node:stream';
import { readMe } from '@spaceport/contract/account';
import { mcpPath } from '@spaceport/contract/oauth';
import type { Scope } from '@spaceport/contract/scopes';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { DocPages } from '../pages/docs/mount-docs.ts';
import type { Platform } from '../platform/context.ts';
import { ServiceError } from '../platform/errors.ts';
import { type Authenticate, createLargeBodyLimit } from '../platform/http/admit.ts';
import { largestBodyIn } from '../platform/http/body-budget.ts';
import type { Caller } from '../platform/http/caller.ts';
import { JsonError, parseJsonBody } from '../platform/http/json.ts';
import type { Binder } from '../platform/http/operations.ts';
import { isFromAnotherSite } from '../platform/http/same-origin.ts';
import { madeOnce } from '../platform/made-once.ts';
import { signInNeeded } from './challenge.ts';
import { methodOf, rpcCodes, rpcError } from './rpc.ts';
import { createToolHost } from './tool-host.ts';

/** Enough for a small game with its pictures. Larger folders are published by the command line. */
const maxBodyBytes = 8 * 1024 * 1024;

export interface McpOptions {
  readonly platform: Platform;
  readonly binder: Pick<Binder, 'call'>;
  readonly docs: DocPages;
  readonly authenticate: Authenticate;
}

/**
 * Mounts the Model Context Protocol at POST /mcp (its «Streamable HTTP»), without sessions. Its tools call
 * operations with the API token of the request; some work without a token.
 */
export function mountMcp(app: FastifyInstance, { platform, binder, docs, authenticate }: McpOptions): void {
  const { config, log, urls, together } = platform;
  const limitLargeBodies = createLargeBodyLimit(together);
  // The library is loaded with the first request: most services get none for a long time.
  const needsAccount = config.ANONYMOUS_PUBLISHES_PER_HOUR === 0;
  const protocol = madeOnce(async () =>
    (await import('./serve-protocol.ts')).serveProtocol(log, needsAccount),
  );

  /** Returns the caller, before the body is read. */
  async function admit(request: FastifyRequest): Promise<Caller | null> {
    const { method, headers, body } = request;
    const { authorization } = headers;
    if (authorization === undefined) return null;
    try {
      return await authenticate.byHead({ method, headers: { authorization }, body }, readMe);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'unauthorized') throw error;
      throw signInNeeded(urls.app, { message: error.message, scope: null, isWrong: true });
    }
  }

  /** Refuses a call that needs a sign-in by an HTTP status, which makes clients start one. */
  function requireCredential({ headers }: FastifyRequest, scope: Scope | null): void {
    if (scope === null || headers.authorization !== undefined) return;
    const message = `An API token with the scope «${scope}» is needed for that.`;
    throw signInNeeded(urls.app, { message, scope, isWrong: false });
  }

  async function answer(request: FastifyRequest, reply: FastifyReply, body: unknown): Promise<FastifyReply> {
    const { scopeWanted, serve } = await protocol();
    // Cookies are not accepted as credentials here. But any site could make its visitors publish, from their
    // networks and against their limits. So requests from other sites' pages need a token for changes.
    const anonymousMayChange = !needsAccount && !isFromAnotherSite(request.headers, urls.app);
    requireCredential(request, scopeWanted(body, { anonymousMayChange }));
    const response = await serve(
      requestFor(request, reply, urls.app),
      body,
      createToolHost({ binder, app: urls.app, readDocs: docs.read }, reply),
    );
    const { connection: _, ...headers } = Object.fromEntries(response.headers);
    reply.code(response.status).headers(headers);
    return response.body === null ? reply.send() : reply.send(Readable.from(response.body));
  }

  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, text, done) => done(null, text));
    scope.route({
      method: 'POST',
      url: mcpPath,
      config: { fromAnySite: true },
      bodyLimit: Math.min(maxBodyBytes, largestBodyIn(config.BODY_MEMORY_BYTES, together.processes > 1)),
      onRequest: (request, _reply, done) => {
        admit(request)
          .then(async (caller) => {
            await limitLargeBodies(request, caller);
            done();
          })
          .catch(done);
      },
      handler: async (request, reply) => {
        const read = readRpc(String(request.body ?? ''));
        if ('error' in read) return reply.code(read.status).send(read.error);
        return answer(request, reply, read.body);
      },
    });
  });
}

type ReadRpc = { readonly body: unknown } | { readonly status: number; readonly error: object };

/**
 * Parses the body. Returns the request, or why it is invalid: long-lived streams and
 * batches are not supported.
 */
function readRpc(text: string): ReadRpc {
  let body: unknown;
  try {
    body = parseJsonBody(text);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const odd = error instanceof JsonError ? error.odd : null;
    const message = odd === null ? error.message : `«${odd.path.join('.')}» ${odd.message}.`;
    return { status: 400, error: rpcError(rpcCodes.parse, message) };
  }
  if (Array.isArray(body)) {
    const message = 'Send one request at a time.';
    return { status: 400, error: rpcError(rpcCodes.invalidRequest, message) };
  }
  if (methodOf(body) === 'subscriptions/listen') {
    const message = 'This server sends no events: its tools do not change.';
    return { status: 404, error: rpcError(rpcCodes.methodNotFound, message, body) };
  }
  return { body };
}

/** Converts the request to the form that the protocol's library takes, without its body, which was read. */
function requestFor(request: FastifyRequest, reply: FastifyReply, app: string): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    if (value !== undefined) headers.set(name, String(value));
  const gone = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort();
  });
  return new Request(new URL(mcpPath, app), { method: 'POST', headers, signal: gone.signal });
}
