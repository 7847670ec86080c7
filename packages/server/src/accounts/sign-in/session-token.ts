import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits. */
export function newSessionToken(): string {
  return randomBytes(32).toString('base64url');
}

/** What is stored of a session's token. */
export function hashSessionToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** `__Host-` and Secure on https; plain on http, where a browser would refuse the prefix (security.md). */
export function cookiePrefix(appOrigin: string): { prefix: string; secure: boolean } {
  const secure = appOrigin.startsWith('https:');
  return { prefix: secure ? '__Host-spaceport' : 'spaceport', secure };
}

export function sessionCookieName(appOrigin: string): string {
  return `${cookiePrefix(appOrigin).prefix}_session`;
}

/** Older cookies hold a signature behind the token, which adds nothing to 256 random bits. */
export function tokenInCookie(value: string): string {
  return value.split('.', 1)[0] ?? '';
}
