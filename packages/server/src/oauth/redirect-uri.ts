/** Rules for redirect addresses, from OAuth 2.1 and RFC 8252. */

const maxLength = 2_000;
const loopbackHosts: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);
/** Schemes that a browser handles itself: none of them leads to a program that waits for a code. */
const browserSchemes: ReadonlySet<string> = new Set(
  'javascript data vbscript file blob about filesystem view-source chrome ws wss ftp mailto tel sms intent'.split(
    ' ',
  ),
);

/**
 * A host: a name or an IPv6 address. The URL standard also lets a host contain `;`, `,` and `*`, which mean
 * something in the policy of the page.
 */
const hostName = /^(?:[a-z0-9_.-]+|\[[0-9a-f:.]+\])$/u;

/** Returns why an address cannot be a redirect address, as the end of a sentence; null if it can. */
export function redirectProblem(uri: string): string | null {
  if (uri.length > maxLength) return `is longer than ${maxLength} characters`;
  const url = /[^\x21-\x7e]/u.test(uri) ? null : URL.parse(uri);
  if (url === null) return 'is no address';
  if (uri.includes('#')) return 'has a fragment';
  if (url.username !== '' || url.password !== '') return 'has a user name or password';
  const scheme = url.protocol.slice(0, -1);
  if (scheme === 'https') return hostName.test(url.hostname) ? null : 'has a host that is no name';
  if (scheme === 'http') return isLoopback(url) ? null : 'must be https, or http to this machine (127.0.0.1)';
  if (browserSchemes.has(scheme) || !uri.slice(scheme.length).startsWith(':/'))
    return 'must be https, http to this machine, or of a scheme of the program itself';
  return null;
}

/**
 * Returns whether an address is one of a client's own. The text must be the same, except for the port
 * on the person's machine.
 */
export function isRegistered(asked: string, registered: readonly string[]): boolean {
  return registered.some((own) => own === asked || isSameLoopback(own, asked));
}

/** RFC 8252 §7.3: a program uses any free port at its start. */
function isSameLoopback(own: string, asked: string): boolean {
  if (redirectProblem(own) !== null || redirectProblem(asked) !== null) return false;
  const [ours, theirs] = [new URL(own), new URL(asked)];
  if (ours.protocol !== 'http:' || theirs.protocol !== 'http:') return false;
  return (
    isLoopback(ours) &&
    ours.hostname === theirs.hostname &&
    own === asked.replace(theirs.host, () => ours.host)
  );
}

function isLoopback({ hostname }: URL): boolean {
  return loopbackHosts.has(hostname);
}

/** Describes for a person where an address leads: to a host, this machine, or a program by its scheme. */
export function describeRedirect(uri: string): {
  readonly host: string;
  readonly kind: 'site' | 'machine' | 'program';
} {
  const url = new URL(uri);
  if (url.protocol === 'https:') return { host: url.host, kind: 'site' };
  if (url.protocol === 'http:') return { host: url.host, kind: 'machine' };
  return { host: url.protocol.slice(0, -1), kind: 'program' };
}

/** Returns what the `form-action` of a policy must allow, so that the answer of a form may redirect there. */
export function formActionOf(uri: string): string {
  const { protocol, host } = new URL(uri);
  const isWeb = protocol === 'https:' || protocol === 'http:';
  // The syntax of policies has no IPv6 addresses.
  return isWeb && !host.startsWith('[') ? `${protocol}//${host}` : protocol;
}

export function withAnswer(uri: string, answer: Readonly<Record<string, string | undefined>>): string {
  const url = new URL(uri);
  for (const [name, value] of Object.entries(answer))
    if (value !== undefined) url.searchParams.set(name, value);
  return url.href;
}
