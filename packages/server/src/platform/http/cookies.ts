/** Returns the decoded value of a cookie in a Cookie header; null if it is absent or badly encoded. */
export function readCookie(header: string | undefined, name: string): string | null {
  for (const pair of header?.split(';') ?? []) {
    const equals = pair.indexOf('=');
    if (equals === -1 || pair.slice(0, equals).trim() !== name) continue;
    try {
      return decodeURIComponent(pair.slice(equals + 1).trim());
    } catch {
      return null;
    }
  }
  return null;
}

/**
 * Returns a Set-Cookie header for all paths of this host. Scripts cannot read the cookie, and forms of other
 * sites do not send it. `value` must consist of URL-safe characters.
 */
export function toSetCookie({
  name,
  value,
  maxAgeSeconds,
  secure,
}: {
  readonly name: string;
  readonly value: string;
  readonly maxAgeSeconds: number;
  readonly secure: boolean;
}): string {
  return `${name}=${value}; Max-Age=${maxAgeSeconds}; Path=/; HttpOnly;${secure ? ' Secure;' : ''} SameSite=Lax`;
}
