import type { DocumentFiles, InlineScript } from '@spaceport/contract/document';
import type { DocumentFrame, Viewer } from '@spaceport/contract/document-frame';
import type { NamedLink } from '@spaceport/contract/named-link';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Session, Sessions } from '../accounts/sign-in/sessions.ts';
import { ServiceError } from '../platform/errors.ts';
import { embedderPolicyFor } from '../platform/http/embedder-policy.ts';
import { toErrorAnswer } from '../platform/http/errors.ts';
import { permissionsPolicy } from '../platform/http/permissions-policy.ts';
import { logRefusal } from '../platform/http/refusals.ts';
import { fromFramework, isCutOffBody } from '../platform/http/server.ts';
import type { BuiltPages } from './built/built-pages.ts';
import { compress } from './compress.ts';
import { errorPage } from './error-page.ts';
import type { PageAnswer, PageDocument } from './page-scope.ts';
import { returnTo } from './return-to.ts';
import { revalidated } from './revalidated.ts';
import { unbuiltDocument } from './unbuilt-document.ts';

export interface PageOptions {
  readonly sessions: Sessions;
  /** The app's origin: the setting BASE_URL. */
  readonly appOrigin: string;
  /** Further links at the foot of every page: the setting FOOTER_LINKS. */
  readonly links: readonly NamedLink[];
  /** Facts about the service that pages show. */
  readonly site: Pick<DocumentFrame, 'contact' | 'asksForCode' | 'needsAccount'>;
  readonly built: BuiltPages;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** Sends pages as answers. */
export interface PageSender {
  send(reply: FastifyReply, answer: PageAnswer, viewer: Viewer | null): Promise<FastifyReply>;
  /** Sends the page of an error. */
  sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
}

export function createPageSender({ sessions, appOrigin, site, links, built, now }: PageOptions): PageSender {
  const drawDocument = async (page: PageDocument, frame: DocumentFrame, files: DocumentFiles | null) => {
    const { title, description, index = false, social, described, client } = page;
    const renderer = await built.renderer();
    if (renderer === null || files === null) {
      if (client.page === 'problem') return unbuiltDocument(client.data);
      throw new ServiceError('failed', 'The pages are being built.');
    }
    return renderer.renderDocument({
      head: { title, description, index, social, described },
      files,
      links,
      frame,
      content: client,
    });
  };
  const send: PageSender['send'] = async (reply, answer, viewer) => {
    if ('redirect' in answer) {
      if (answer.cookies) reply.header('set-cookie', [...answer.cookies]);
      return reply
        .code(answer.permanent ? 308 : 303)
        .header('location', answer.redirect)
        .send();
    }
    const { shows } = answer;
    const compressible = 'markdown' in answer || !mayTell(answer, viewer);
    if (shows && viewer === null) reply.request.shown = { tags: shows, compressible };
    if ('markdown' in answer)
      return reply
        .headers({ ...revalidated(answer.markdown), vary: 'accept' })
        .type('text/markdown; charset=utf-8')
        .send(answer.markdown);
    const files = await built.files(answer.client.page, answer.enhancement);
    const userAgent = reply.request.headers['user-agent'];
    reply
      .code(answer.status ?? 200)
      .headers(policyHeaders(appOrigin, { ...answer, script: files?.early, userAgent }))
      .headers({ 'cache-control': 'no-store', ...answer.headers })
      .type('text/html; charset=utf-8');
    const frame = {
      viewer,
      origin: appOrigin,
      path: reply.request.url,
      returnTo: returnTo(reply.request),
      now: now(),
      ...site,
    };
    const document = await drawDocument(answer, frame, files);
    if (!compressible || (reply.request.isKept && reply.request.shown !== null)) return reply.send(document);
    const { coding, bytes } = await compress(document, reply.request.headers['accept-encoding']);
    if (coding !== null) reply.header('content-encoding', coding);
    const vary = [answer.headers?.vary, 'accept-encoding'].filter((each) => each !== undefined);
    return reply.header('vary', vary.join(', ')).send(bytes);
  };
  return {
    send,
    async sendError(error, request, reply) {
      const known = fromFramework(error, request);
      const { status, headers, unexpected } = toErrorAnswer(known, 'plain', request.id);
      if (!isCutOffBody(error, request.raw)) logRefusal(error, { status, unexpected }, request.log);
      const { 'www-authenticate': _, ...others } = headers;
      // If the database is out of reach, the session cannot be looked up, and the answer must not wait for
      // it.
      const session = status === 503 ? null : await sessions.find(request.headers).catch(() => null);
      const viewer = viewerOf(session);
      const isRepeatable = request.method === 'GET';
      const told = { status, requestId: request.id, headers: others, isRepeatable };
      return send(reply, errorPage(known, told), viewer);
    },
  };
}

export function viewerOf(session: Session | null): Viewer | null {
  if (!session) return null;
  const { handle, name, operator } = session.creator;
  return { handle, name, operator };
}

/**
 * Returns whether a document's compressed length could leak a secret (BREACH): it has private data, and may
 * have text that an attacker chose. A document that search engines may list, without a viewer, has no private
 * data.
 */
function mayTell({ index = false, enhancement }: PageDocument, viewer: Viewer | null): boolean {
  return !index || (viewer !== null && enhancement === undefined);
}

/**
 * Returns the security headers of a page. A page that frames an isolated space has to be isolated itself.
 */
export function policyHeaders(
  appOrigin: string,
  {
    frames = [],
    isolated = false,
    formLeadsTo,
    script,
    userAgent,
  }: Pick<PageDocument, 'frames' | 'isolated' | 'formLeadsTo'> & {
    script?: InlineScript | undefined;
    userAgent?: string | undefined;
  } = {},
): Record<string, string> {
  const formTargets = formLeadsTo === undefined ? "'self'" : `'self' ${formLeadsTo}`;
  const frameSources = frames.length > 0 ? `frame-src ${frames.join(' ')}; ` : '';
  const scriptSources = script ? `script-src 'self' ${script.source}; ` : '';
  return {
    'content-security-policy': `default-src 'self'; ${scriptSources}${frameSources}object-src 'none'; base-uri 'none'; form-action ${formTargets}; frame-ancestors 'none'`,
    ...(isolated ? { 'cross-origin-embedder-policy': embedderPolicyFor(userAgent) } : {}),
    'x-frame-options': 'DENY',
    'cross-origin-opener-policy': 'same-origin',
    // Addresses may contain secrets. `no-referrer` would also hide the Origin of our own forms.
    'referrer-policy': 'same-origin',
    'permissions-policy': permissionsPolicy,
    ...(appOrigin.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  };
}
