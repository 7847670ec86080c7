/** The target of a request's Host: the app, one space's content, or nothing of ours. */
export type HostTarget = { readonly is: 'app' } | ContentTarget | { readonly is: 'unknown' };
export interface ContentTarget {
  readonly is: 'play' | 'preview';
  /** The one DNS label before the content host, in lower case. */
  readonly label: string;
}

const unknown: HostTarget = { is: 'unknown' };
const app: HostTarget = { is: 'app' };
const dnsLabel = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/u;
const authority = /^(\[[0-9a-f:.]+\]|[^:[\]/@\s]+?)\.?(?::([0-9]*))?$/u;
const maxHostCharacters = 260;
const rememberedHosts = 2_000;

interface Authority {
  readonly name: string;
  /** '' for a default port, which browsers omit. */
  readonly port: string;
}

/**
 * Makes the function that classifies a Host header. `hosts` are `name` or `name:port`, as configured. A
 * request must name the same port; a missing port, 80 and 443 count as the same.
 * @throws if a configured host is malformed
 */
export function createHostClassifier(hosts: {
  readonly app: string;
  readonly play: string;
  readonly preview: string;
}): (header: string | undefined) => HostTarget {
  const appHost = configured(hosts.app);
  const parents = [
    { is: 'play', host: configured(hosts.play) },
    { is: 'preview', host: configured(hosts.preview) },
  ] as const;

  function classify(header: string): HostTarget {
    const asked = parseAuthority(header);
    if (asked === null) return unknown;
    // Exact names come first: the app may be at `app.example.org` with content at `*.example.org`.
    if (isSame(asked, appHost)) return app;
    if (parents.some(({ host }) => isSame(asked, host))) return unknown;
    for (const { is, host } of parents) {
      const suffix = `.${host.name}`;
      if (asked.port !== host.port || !asked.name.endsWith(suffix)) continue;
      const label = asked.name.slice(0, -suffix.length);
      if (dnsLabel.test(label)) return { is, label };
    }
    return unknown;
  }

  // Results are remembered, because the same few hosts come again and again. They are all forgotten when
  // there are too many, as when a client invents hosts.
  const remembered = new Map<string, HostTarget>();
  return (header) => {
    if (header === undefined || header.length > maxHostCharacters) return unknown;
    const known = remembered.get(header);
    if (known) return known;
    const target = classify(header);
    if (remembered.size >= rememberedHosts) remembered.clear();
    remembered.set(header, target);
    return target;
  };
}

/**
 * Returns the name in a Host header that is not one of the service's, at the port of live spaces; null if it
 * names another port, or nothing.
 */
export function readOtherHost(header: string | undefined, play: string): string | null {
  if (header === undefined || header.length > maxHostCharacters) return null;
  const asked = parseAuthority(header);
  return asked !== null && asked.port === configured(play).port ? asked.name : null;
}

function isSame(one: Authority, other: Authority): boolean {
  return one.name === other.name && one.port === other.port;
}

function configured(host: string): Authority {
  const parsed = parseAuthority(host);
  if (parsed === null) throw new Error(`"${host}" is not a host name`);
  return parsed;
}

function parseAuthority(text: string): Authority | null {
  const match = authority.exec(text.toLowerCase());
  const name = match?.[1];
  if (name === undefined) return null;
  const digits = match?.[2] ?? '';
  const port = digits === '' ? '' : String(Number(digits));
  return { name, port: port === '80' || port === '443' ? '' : port };
}
