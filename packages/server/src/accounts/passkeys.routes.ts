import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ServiceError } from '../platform/errors.ts';
import { isSafeMethod, senderOf } from '../platform/http/same-origin.ts';
import type { Limits } from './limits.ts';
import type { Sessions } from './sign-in/sessions.ts';
import { type SignIn, toHeaders } from './sign-in/sign-in.ts';

/**
 * The routes of better-auth's passkey plugin that its browser client calls, and no other of its routes. Options come
 * by GET and are answered by POST, each for the browser that asked: a signed cookie holds the challenge.
 */
const routes = [
  ['GET', '/api/auth/passkey/generate-register-options'],
  ['POST', '/api/auth/passkey/verify-registration'],
  ['GET', '/api/auth/passkey/generate-authenticate-options'],
  ['POST', '/api/auth/passkey/verify-authentication'],
] as const;

export const passkeyRoutes = routes.map(([method, path]) => ({ method, path }));

export interface PasskeyServices {
  readonly signIn: SignIn;
  readonly sessions: Sessions;
  readonly limits: Limits;
  /** BASE_URL */
  readonly appOrigin: string;
}

export function mountPasskeys(app: FastifyInstance, services: PasskeyServices): void {
  const { signIn, sessions, limits, appOrigin } = services;
  for (const [method, path] of routes) {
    app.route({
      method,
      url: path,
      handler: async (request, reply) => {
        if (!isSafeMethod(method) && senderOf(request.headers, appOrigin) !== 'same-origin') {
          throw new ServiceError('forbidden', "The request was sent from another site's page.");
        }
        const signsIn = path.endsWith('/verify-authentication');
        if (signsIn) await limits.signInFrom(request.address);
        if (path.endsWith('-options')) await limits.passkeyOptions(request.address);
        const before = signsIn ? await sessions.find(request.headers) : null;
        const auth = await signIn.auth();
        const answer = await auth.handler(toRequest(request, appOrigin)).catch((error: unknown) => {
          throw refusal(error);
        });
        if (!answer.ok)
          throw refusal({ statusCode: answer.status, body: await answer.json().catch(() => null) });
        if (before) await sessions.end(before.id);
        const cookies = answer.headers.getSetCookie();
        if (cookies.length > 0) reply.header('set-cookie', cookies);
        reply.type('application/json; charset=utf-8');
        // Its own answer to a sign-in holds the session's token, which no script may have.
        return signsIn ? { signed_in: true } : await answer.text();
      },
    });
  }
}

function toRequest(request: FastifyRequest, appOrigin: string): Request {
  const headers = toHeaders(request.headers);
  headers.set('content-type', 'application/json');
  // Looked at already, by a rule that takes Sec-Fetch-Site too.
  headers.set('origin', appOrigin);
  const init = { method: request.method, headers };
  const url = new URL(request.url, appOrigin);
  if (isSafeMethod(request.method)) return new Request(url, init);
  return new Request(url, { ...init, body: JSON.stringify(request.body ?? {}) });
}

/** What a wrong credential and a banned account come to; any other fault of its side is one of ours. */
const refusedFaults = new Set(['FAILED_TO_VERIFY_REGISTRATION', 'UNABLE_TO_CREATE_SESSION']);

/** better-auth's refusals under our codes; what is none stays what it is. */
function refusal(error: unknown): unknown {
  const { statusCode, body } = error as {
    statusCode?: unknown;
    body?: { code?: unknown; message?: unknown } | null;
  };
  if (typeof statusCode !== 'number') return error;
  const sentence =
    typeof body?.message === 'string'
      ? `${body.message.replace(/\.$/u, '')}.`
      : 'The passkey was not accepted.';
  if (statusCode === 401) return new ServiceError('unauthorized', sentence);
  if (statusCode === 404) return new ServiceError('not_found', sentence);
  if (statusCode === 403 || refusedFaults.has(String(body?.code))) {
    return new ServiceError('forbidden', sentence);
  }
  if (statusCode >= 500) return new Error(`better-auth answered ${statusCode}`, { cause: error });
  return new ServiceError('invalid', sentence, { issues: [{ path: '', message: sentence }] });
}
