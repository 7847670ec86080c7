import { hash } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';

const publicSeconds = 10;

/**
 * Returns the headers of a response that anyone may keep for ten seconds. `text` is the body as
 * it is sent.
 */
export function publicCache(text: string): Record<string, string> {
  const digest = hash('sha256', text, 'base64url').slice(0, 27);
  return { 'cache-control': `public, max-age=${publicSeconds}`, etag: `"${digest}"` };
}

/**
 * Responds with 304 if the client already has a response with headers of `publicCache` (RFC 9110 §13.1.2). It
 * is added before the routes.
 */
export function answerNotModified(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const asked = request.headers['if-none-match'];
    if (asked === undefined || !hasWhatIsAsked(reply, asked)) return done(null, payload);
    reply.code(304).removeHeader('content-length').removeHeader('content-type');
    // The framework drops the body of a HEAD itself, after this hook, and counts its bytes before.
    done(null, request.method === 'HEAD' ? payload : null);
  });
}

function hasWhatIsAsked(reply: FastifyReply, asked: string): boolean {
  const etag = reply.getHeader('etag');
  const isPublic = String(reply.getHeader('cache-control')).startsWith('public');
  if (reply.statusCode !== 200 || !isPublic || typeof etag !== 'string') return false;
  return matchesEtag(asked, etag, 'weak');
}

/**
 * Returns whether a list of entity tags (If-Match, If-None-Match) names this one. With strong comparison, a
 * weak tag in the list never matches.
 */
export function matchesEtag(list: string, etag: string, comparison: 'strong' | 'weak'): boolean {
  return list.split(',').some((entry) => {
    const tag = entry.trim();
    return tag === '*' || tag === etag || (comparison === 'weak' && tag === `W/${etag}`);
  });
}
