import type { DocumentFiles } from '@spaceport/contract/document';
import type { DocumentFrame, Viewer } from '@spaceport/contract/first-data';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Session, Sessions } from '../accounts/sign-in/sessions.ts';
import type { Visit } from '../accounts/sign-in/sign-in.ts';
import { ServiceError } from '../platform/errors.ts';
import { toErrorAnswer } from '../platform/http/errors.ts';
import { textProblem } from '../platform/http/json.ts';
import { isSafeMethod, senderOf } from '../platform/http/same-origin.ts';
import { fromFramework } from '../platform/http/server.ts';
import type { BuiltPages } from './built/built-pages.ts';
import { compress } from './compress.ts';
import { html } from './html.ts';
import { type Page, renderDocument } from './layout.ts';
import { pathWith } from './next-path.ts';

const maxFormBytes = 64 * 1024;

/** What a page's function is given. */
export interface PageRequest {
  readonly request: FastifyRequest;
  /** The fields of the form that was sent: the first value of each. */
  readonly form: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly params: Readonly<Record<string, string>>;
  readonly session: Session | null;
}

/** What a page's function answers: a document, or where to go instead. */
export type PageAnswer = PageDocument | PageRedirect;
export interface PageDocument extends Page {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}
export interface PageRedirect {
  readonly redirect: string;
  readonly cookies?: readonly string[];
}

type Handle = (page: PageRequest) => Promise<PageAnswer>;

/** Where plain pages are mounted. Its answers carry the headers of security.md; its forms come from our own pages. */
export interface PageScope {
  get(path: string, handle: Handle): void;
  /** Refuses, 403, what another site's page or no browser sent. */
  post(path: string, handle: Handle): void;
}

export interface PageOptions {
  readonly sessions: Sessions;
  /** BASE_URL */
  readonly appOrigin: string;
  readonly built: BuiltPages;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** Opens a scope of the app for pages and mounts each of `mounts` in it. */
export function mountPages(
  app: FastifyInstance,
  { sessions, appOrigin, built, now }: PageOptions,
  mounts: readonly ((scope: PageScope) => void)[],
): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: maxFormBytes },
      (_request, body, done) => done(null, firstValues(String(body))),
    );
    // Anything else is no form of ours; its body is not looked at.
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: maxFormBytes }, (_request, _body, done) =>
      done(null, {}),
    );
    scope.addHook('onSend', async (_request, reply, payload) => {
      if (!reply.hasHeader('content-security-policy')) reply.headers(policyHeaders(appOrigin));
      if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
      return payload;
    });
    const drawDocument = async (page: PageDocument, frame: DocumentFrame, files: DocumentFiles | null) => {
      if (page.body !== undefined || page.client === undefined) return renderDocument(page, frame, files);
      const renderer = await built.renderer();
      if (renderer === null || files === null) throw new ServiceError('failed', 'The pages are being built.');
      const { title, description, index = false, social, client } = page;
      return renderer.renderDocument({
        head: { title, description, index, social },
        files,
        frame,
        content: client,
      });
    };
    const send = async (reply: FastifyReply, answer: PageAnswer, viewer: Viewer | null) => {
      if ('redirect' in answer) {
        if (answer.cookies) reply.header('set-cookie', [...answer.cookies]);
        return reply.code(303).header('location', answer.redirect).send();
      }
      const files = await built.files(answer.client?.page ?? null, answer.enhancement);
      reply
        .code(answer.status ?? 200)
        .headers(policyHeaders(appOrigin, answer))
        .headers(answer.headers ?? {})
        .type('text/html; charset=utf-8');
      const frame = { viewer, origin: appOrigin, path: reply.request.url, now: now() };
      const document = await drawDocument(answer, frame, files);
      if (mayTell(answer, viewer)) return reply.send(document);
      const { coding, bytes } = await compress(document, reply.request.headers['accept-encoding']);
      if (coding !== null) reply.header('content-encoding', coding);
      return reply.header('vary', 'accept-encoding').send(bytes);
    };
    scope.setErrorHandler(async (error, request, reply) => {
      const known = fromFramework(error, request);
      const { status, headers, unexpected } = toErrorAnswer(known, 'plain', request.id);
      if (unexpected) request.log.error({ err: error }, 'unexpected error');
      const { 'www-authenticate': _, ...others } = headers;
      // Where the database is away, whose page it is cannot be found out, nor waited for.
      const session = status === 503 ? null : await sessions.find(request.headers).catch(() => null);
      return send(reply, errorPage(known, status, request.id, others), viewerOf(session));
    });
    const route = (method: 'GET' | 'POST', path: string, handle: Handle) =>
      scope.route({
        method,
        url: path,
        exposeHeadRoute: method === 'GET',
        handler: async (request, reply) => {
          if (!isSafeMethod(method) && senderOf(request.headers, appOrigin) !== 'same-origin') {
            throw new ServiceError('forbidden', 'This form was not sent from one of our own pages.');
          }
          const page = {
            request,
            form: readable(request.body ?? {}),
            query: readable(request.query),
            params: readable(request.params),
            session: await sessions.find(request.headers),
          };
          return send(reply, await handle(page), viewerOf(page.session));
        },
      });
    const pages: PageScope = {
      get: (path, handle) => route('GET', path, handle),
      post: (path, handle) => route('POST', path, handle),
    };
    for (const mount of mounts) mount(pages);
  });
}

/** Headers of a page that anyone may see: a browser may show it again on the way back, and asks before it does. */
export const publicDocument = { 'cache-control': 'private, no-cache' };

/**
 * Whether a document's compressed length could tell something: it holds what is somebody's own, and may hold what a stranger
 * chose beside it (BREACH). What search engines may list, for nobody in particular, holds nothing of the kind.
 */
function mayTell({ index = false, enhancement }: PageDocument, viewer: Viewer | null): boolean {
  return !index || (viewer !== null && enhancement === undefined);
}

function viewerOf(session: Session | null): Viewer | null {
  if (!session) return null;
  const { handle, name, operator } = session.creator;
  return { handle, name, operator };
}

export function visitOf({ address, headers }: FastifyRequest): Visit {
  return { address, headers };
}

/** The page for somebody who is not signed in yet: sign in, then come back. */
export function signInFirst({ request }: PageRequest): PageRedirect {
  const next = isSafeMethod(request.method) ? request.url : undefined;
  return { redirect: pathWith('/sign-in', { next }) };
}

/** security.md, "App answers". A page that frames an isolated space has to be isolated itself (contract §8). */
function policyHeaders(
  appOrigin: string,
  { frames = [], isolated = false }: Partial<Page> = {},
): Record<string, string> {
  const frameSources = frames.length > 0 ? `frame-src ${frames.join(' ')}; ` : '';
  return {
    'content-security-policy': `default-src 'self'; ${frameSources}object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
    ...(isolated ? { 'cross-origin-embedder-policy': 'credentialless' } : {}),
    'x-frame-options': 'DENY',
    'cross-origin-opener-policy': 'same-origin',
    // Links hold secrets; and with no referrer at all a browser would hide the Origin of our own forms too.
    'referrer-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
    ...(appOrigin.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  };
}

function errorPage(
  error: unknown,
  status: number,
  requestId: string,
  headers: Record<string, string>,
): PageDocument {
  const known = error instanceof ServiceError && status < 500;
  const message = known
    ? error.message
    : status === 503
      ? 'The service is busy or away for a moment. Try again shortly.'
      : 'Something went wrong on our side.';
  return {
    status,
    headers,
    title: 'That did not work',
    body: html`<h1>That did not work</h1>
<div class="card"><p role="alert">${message}</p>
${status === 500 ? html`<p class="quiet">If you tell us about it, name the request <code>${requestId}</code>.</p>` : null}
<p><a href="/settings">Go to your settings</a></p></div>`,
  };
}

function firstValues(text: string): Record<string, string> {
  const values: Record<string, string> = Object.create(null);
  for (const [name, value] of new URLSearchParams(text)) values[name] ??= value;
  return values;
}

function readable(values: unknown): Record<string, string> {
  const problem = textProblem(values);
  if (problem) throw new ServiceError('invalid', `What was sent ${problem}.`);
  // Both parsers, of forms and of queries, make objects of strings.
  return values as Record<string, string>;
}
