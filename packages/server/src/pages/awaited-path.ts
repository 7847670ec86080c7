import type { IncomingHttpHeaders } from 'node:http';
import { cookiePrefix } from '../accounts/sign-in/session-token.ts';
import { readCookie, toSetCookie } from '../platform/http/cookies.ts';
import { home, ownPath } from './next-path.ts';

/** As long as the link in the mail works. */
const maxAgeSeconds = 3_600;
/** Browsers drop longer cookies. */
const longest = 2_000;

/**
 * Keeps the path that somebody wanted to go to while a mail with a link is under way. It is kept in the browser
 * and not in the link: anybody can have a mail sent to an address, and must not choose where it leads to.
 */
export interface AwaitedPath {
  /** Returns the headers that keep a path of our own; without a page that was asked for, an earlier one stays. */
  keep(path: string): Readonly<Record<string, string>>;
  /** Returns the kept path, the front page's without one. */
  find(headers: IncomingHttpHeaders): string;
}

export function createAwaitedPath(appOrigin: string): AwaitedPath {
  const { prefix, secure } = cookiePrefix(appOrigin);
  const name = `${prefix}_next`;
  return {
    keep(path): Record<string, string> {
      const value = encodeURIComponent(path);
      if (path === home || value.length > longest) return {};
      return { 'set-cookie': toSetCookie({ name, value, maxAgeSeconds, secure }) };
    },
    find: ({ cookie }) => ownPath(readCookie(cookie, name) ?? undefined),
  };
}
