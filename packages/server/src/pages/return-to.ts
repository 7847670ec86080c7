import type { FastifyRequest } from 'fastify';
import { isSafeMethod } from '../platform/http/same-origin.ts';
import { ownPath } from './next-path.ts';

/** Pages on the way in: they lead on to where somebody began, not to themselves. */
const waysIn: ReadonlySet<string> = new Set(['/sign-in', '/sign-up', '/handle', '/reset', '/sign-out']);

/** Where a sign-in from the head line of a page leads. */
export function returnTo({ method, url, query, body }: FastifyRequest): string {
  if (waysIn.has(url.split('?', 1)[0] ?? '')) {
    const asked = isSafeMethod(method) ? query : body;
    const next: unknown = typeof asked === 'object' && asked && 'next' in asked ? asked.next : undefined;
    return ownPath(typeof next === 'string' ? next : undefined, '/');
  }
  return ownPath(isSafeMethod(method) ? url : undefined, '/');
}
