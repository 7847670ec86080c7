import { createHash, randomBytes } from 'node:crypto';

/** Returns 256 random bits. */
export function newSessionToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Returns the hash of a session's token that is stored. */
export function hashSessionToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/**
 * Returns the cookie prefix: `__Host-` and Secure on https, plain on http, where a browser would refuse
 * the prefix.
 */
export function cookiePrefix(appOrigin: string): { prefix: string; secure: boolean } {
  const secure = appOrigin.startsWith('https:');
  return { prefix: secure ? '__Host-spaceport' : 'spaceport', secure };
}

export function sessionCookieName(appOrigin: string): string {
  return `${cookiePrefix(appOrigin).prefix}_session`;
}

/**
 * Returns the token in a cookie. Older cookies have a signature after the token, which is not
 * needed with 256 random bits.
 */
export function tokenInCookie(value: string): string {
  return value.split('.', 1)[0] ?? '';
}
