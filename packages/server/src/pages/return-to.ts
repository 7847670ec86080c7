import type { FastifyRequest } from 'fastify';
import { isSafeMethod } from '../platform/http/same-origin.ts';
import { ownPath } from './next-path.ts';

/** Pages of signing in. After signing in they lead to the page where the person began. */
const waysIn: ReadonlySet<string> = new Set(['/sign-in', '/sign-up', '/handle', '/reset', '/sign-out']);

/** Returns the path that signing in from a page's header leads to. */
export function returnTo({ method, url, query, body }: FastifyRequest): string {
  if (waysIn.has(url.split('?', 1)[0] ?? '')) {
    const asked = isSafeMethod(method) ? query : body;
    const next: unknown = typeof asked === 'object' && asked && 'next' in asked ? asked.next : undefined;
    return ownPath(typeof next === 'string' ? next : undefined);
  }
  return ownPath(isSafeMethod(method) ? url : undefined);
}
