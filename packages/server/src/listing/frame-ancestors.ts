/**
 * Matches CSP `frame-ancestors` against one ancestor as browsers do (CSP Level 3 §6.7.2). Paths in sources
 * are ignored, because an ancestor is only an origin.
 */

/** Returns the sources of the policy's first `frame-ancestors` directive; null if the policy has none. */
export function frameAncestors(policy: string): string[] | null {
  for (const directive of policy.split(';')) {
    const [name, ...sources] = directive.split(/[\t\n\f\r ]+/u).filter((token) => token !== '');
    if (name?.toLowerCase() === 'frame-ancestors') return sources;
  }
  return null;
}

/**
 * Returns whether one of the sources allows the ancestor.
 * @param self the address of the framed page: it is meant by 'self', and gives the
 * scheme for sources without one
 */
export function allowsAncestor(sources: readonly string[], ancestor: URL, self: URL): boolean {
  return sources.some((source) => matches(source.toLowerCase(), ancestor, self));
}

// 'none' needs no case: it matches no pattern, neither alone nor beside other sources,
// as the standard requires.
const schemeSource = /^([a-z][a-z0-9+.-]*):$/u;
const hostSource =
  /^(?:([a-z][a-z0-9+.-]*):\/\/)?(\*|(?:\*\.)?[a-z0-9_.-]+|\[[0-9a-f:.]+\])(?::(\d+|\*))?(?:\/.*)?$/u;

function matches(source: string, ancestor: URL, self: URL): boolean {
  if (source === "'self'") return ancestor.origin === self.origin;
  if (source === '*') return schemeMatches('http', ancestor) || schemeMatches(schemeOf(self), ancestor);
  const scheme = schemeSource.exec(source)?.[1];
  if (scheme !== undefined) return schemeMatches(scheme, ancestor);
  const [, givenScheme, host, port] = hostSource.exec(source) ?? [];
  return (
    host !== undefined &&
    schemeMatches(givenScheme ?? schemeOf(self), ancestor) &&
    hostMatches(host, ancestor.hostname) &&
    portMatches(port, ancestor)
  );
}

function schemeOf(url: URL): string {
  return url.protocol.slice(0, -1);
}

/** §6.7.2.9: a source with http also allows https, but not the other way round. */
function schemeMatches(scheme: string, url: URL): boolean {
  const actual = schemeOf(url);
  return scheme === actual || (scheme === 'http' && actual === 'https');
}

function hostMatches(pattern: string, host: string): boolean {
  if (pattern === '*') return true;
  return pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern;
}

function portMatches(port: string | undefined, url: URL): boolean {
  if (port === '*') return true;
  const defaultPort = url.protocol === 'https:' ? '443' : '80';
  return Number(port ?? defaultPort) === Number(url.port || defaultPort);
}
