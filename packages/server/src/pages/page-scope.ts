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

/** The input of a page's function. */
export interface PageRequest {
  readonly request: FastifyRequest;
  /** The fields of the sent form, with the first value of each. */
  readonly form: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly params: Readonly<Record<string, string>>;
  readonly session: Session | null;
}

/** The result of a page's function: a document, a redirect, or Markdown. */
export type PageAnswer = PageDocument | PageRedirect | PageMarkdown;
export interface PageDocument {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Tags of the content that all visitors without an account see. The document may be cached until one of
   * them changes.
   */
  readonly shows?: readonly ShownTag[];
  /** The title, without the service's name. */
  readonly title: string;
  /** Whether search engines may list the page. */
  readonly index?: boolean;
  readonly description?: string | undefined;
  /** Metadata for link previews of other services. */
  readonly social?: Social;
  /** What the page is about, for search engines, in the words of schema.org (JSON-LD). */
  readonly described?: Readonly<Record<string, unknown>>;
  /** Origins that the page may show in frames. */
  readonly frames?: readonly string[];
  /** A CSP source that its form may redirect to, besides our own pages. */
  readonly formLeadsTo?: string;
  /** Whether the framed content needs shared memory. */
  readonly isolated?: boolean;
  /** The script and style of packages/web/src/{name} that enhance the server's document. */
  readonly enhancement?: 'reference';
  /** The data from which packages/web renders the main part, on the server and in the browser. */
  readonly client: PageWithData | PlainContent;
}
export interface PageRedirect {
  readonly redirect: string;
  /** Whether the address is only another spelling of the one that it leads to. */
  readonly permanent?: true;
  readonly cookies?: readonly string[];
}
/** The page as Markdown, for clients that prefer it. */
export interface PageMarkdown {
  readonly markdown: string;
  readonly shows?: readonly ShownTag[];
}

type Handle = (page: PageRequest) => Promise<PageAnswer>;

/**
 * The scope in which pages are mounted. Answers have the headers of `policyHeaders`; forms must come
 * from our own pages.
 */
export interface PageScope {
  /** Mounts a page. Its address with a slash at the end leads to it. */
  get(path: string, handle: Handle, options?: { readonly cacheable: CacheableRoute }): void;
  /** Mounts a form. Requests from other sites' pages and from programs are refused with 403. */
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
    // Any other type is not a form of ours, and its body is not parsed.
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
      get(path, handle, options) {
        route('GET', path, handle, options);
        if (!path.endsWith('/')) route('GET', `${path}/`, withoutSlash);
      },
      post: (path, handle) => route('POST', path, handle),
    };
    for (const mount of mounts) mount(pages);
  });
}

/** Redirects an address whose path ends with a slash to the one without it. */
async function withoutSlash({ request }: PageRequest): Promise<PageRedirect> {
  return { redirect: request.url.replace(/\/(?=\?|$)/u, ''), permanent: true };
}

/** Headers of a public page: a browser may cache it, but has to revalidate it. */
export const publicDocument = { 'cache-control': 'private, no-cache' };

export function visitOf({ address, headers }: FastifyRequest): Visit {
  return { address, headers };
}

/** Returns a redirect to the sign-in page, which leads back here, or to the page whose form was sent. */
export function signInFirst({ request }: PageRequest): PageRedirect {
  const next = isSafeMethod(request.method) ? request.url : formPage(request);
  return { redirect: pathWith('/sign-in', { next }) };
}

/** Returns the path of the page whose form was sent. Our policy has browsers name it to ourselves. */
function formPage({ headers: { referer = '' } }: FastifyRequest): string | undefined {
  const page = URL.parse(referer);
  return page === null ? undefined : page.pathname + page.search;
}

function firstValues(text: string): Record<string, string> {
  const values: Record<string, string> = Object.create(null);
  for (const [name, value] of new URLSearchParams(text)) values[name] ??= value;
  return values;
}

function readable(values: unknown): Record<string, string> {
  const odd = oddText(values);
  if (odd) throw new ServiceError('invalid', `The form ${odd.message}.`);
  // The parsers of forms and of queries both make objects of strings.
  return values as Record<string, string>;
}
