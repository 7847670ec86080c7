import type { PlainContent, Social } from '@spaceport/contract/document';
import type { PageWithData } from '@spaceport/contract/first-data';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Session } from '../accounts/sign-in/sessions.ts';
import type { Visit } from '../accounts/sign-in/sign-in.ts';
import type { ShownTag } from '../platform/db/shown.ts';
import { ServiceError } from '../platform/errors.ts';
import { oddText } from '../platform/http/json.ts';
import { isSafeMethod, senderOf } from '../platform/http/same-origin.ts';
import type { CacheableRoute } from '../platform/http/shown-answer.ts';
import { pathWith } from './next-path.ts';
import { type PageOptions, type PageSender, policyHeaders, viewerOf } from './send-page.ts';

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
export type PageAnswer = PageDocument | PageRedirect | PageMarkdown;
export interface PageDocument {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** What it shows to who is not signed in, where that is the same for all of them: it may be kept until any of that changes. */
  readonly shows?: readonly ShownTag[];
  /** Without the service's name. */
  readonly title: string;
  /** True where search engines may list it. */
  readonly index?: boolean;
  readonly description?: string | undefined;
  /** What other services show where somebody links to it. */
  readonly social?: Social;
  /** Origins of what it shows in frames. */
  readonly frames?: readonly string[];
  /** Where the answer of its form may send the browser, beside our own pages: a source of a policy. */
  readonly formLeadsTo?: string;
  /** What it frames needs shared memory. */
  readonly isolated?: boolean;
  /** The script and style of packages/web/src/{name} that work on the document as it is. */
  readonly enhancement?: 'reference';
  /** What packages/web draws its middle from, here and in the browser. */
  readonly client: PageWithData | PlainContent;
}
export interface PageRedirect {
  readonly redirect: string;
  readonly cookies?: readonly string[];
}
/** The same in Markdown, for who would rather have that. */
export interface PageMarkdown {
  readonly markdown: string;
  readonly shows?: readonly ShownTag[];
}

type Handle = (page: PageRequest) => Promise<PageAnswer>;

/** Where plain pages are mounted. Its answers carry the headers of security.md; its forms come from our own pages. */
export interface PageScope {
  get(path: string, handle: Handle, options?: { readonly cacheable: CacheableRoute }): void;
  /** Refuses, 403, what another site's page or no browser sent. */
  post(path: string, handle: Handle): void;
}

/** Opens a scope of the app for pages and mounts each of `mounts` in it. */
export function mountPages(
  app: FastifyInstance,
  { sessions, appOrigin }: Pick<PageOptions, 'sessions' | 'appOrigin'>,
  { send, sendError }: PageSender,
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
    scope.setErrorHandler(sendError);
    const route = (
      method: 'GET' | 'POST',
      path: string,
      handle: Handle,
      config: { readonly cacheable?: CacheableRoute } = {},
    ) =>
      scope.route({
        method,
        url: path,
        config,
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
      get: (path, handle, options) => route('GET', path, handle, options),
      post: (path, handle) => route('POST', path, handle),
    };
    for (const mount of mounts) mount(pages);
  });
}

/** Headers of a page that anyone may see: a browser may show it again on the way back, and asks before it does. */
export const publicDocument = { 'cache-control': 'private, no-cache' };

export function visitOf({ address, headers }: FastifyRequest): Visit {
  return { address, headers };
}

/** The page for somebody who is not signed in yet: sign in, then come back. */
export function signInFirst({ request }: PageRequest): PageRedirect {
  const next = isSafeMethod(request.method) ? request.url : undefined;
  return { redirect: pathWith('/sign-in', { next }) };
}

function firstValues(text: string): Record<string, string> {
  const values: Record<string, string> = Object.create(null);
  for (const [name, value] of new URLSearchParams(text)) values[name] ??= value;
  return values;
}

function readable(values: unknown): Record<string, string> {
  const odd = oddText(values);
  if (odd) throw new ServiceError('invalid', `What was sent ${odd.message}.`);
  // Both parsers, of forms and of queries, make objects of strings.
  return values as Record<string, string>;
}
