import { randomBytes } from 'node:crypto';
import type { Config } from '../config.ts';
import { hasUnnamedProxy } from '../platform/http/client-address.ts';
import { reasonOf } from '../platform/reason-of.ts';
import { type Finding, fine, odd, type Subject, unseen, wrong } from './finding.ts';
import { type Reached, reach, reachesRooms } from './reach.ts';

interface Host {
  readonly about: Subject;
  readonly address: URL;
  /** The name of its record in the DNS zone. */
  readonly record: string;
  readonly setting: string;
  /** The status that a Spaceport answers with there. */
  readonly status: number;
}

const dayMs = 86_400_000;
/**
 * Certificates are usually renewed a month before their end. Fewer days than this mean that the renewal was
 * missed.
 */
const soonDays = 14;

/**
 * Checks whether the three hosts of the service lead to it from here, wildcards by a name that nobody has,
 * and whether their certificates are valid.
 * @param now epoch milliseconds
 */
export async function lookAtHosts(config: Config, now: number): Promise<Finding[]> {
  const looked = await Promise.all(hostsOf(config).map(lookAtHost));
  const findings = looked.map(({ finding }) => withProxy(config, finding));
  const all = await Promise.all(findings.map((found) => withRooms(config, found)));
  return [...all, certificates(config, looked, now)];
}

/** Adds to what was found of the app's host that its proxy is in no setting. */
function withProxy(config: Config, found: Finding): Finding {
  if (found.about !== 'app_host' || found.state !== 'ok' || !hasUnnamedProxy(config)) return found;
  return odd(
    found.about,
    `${found.said} It is https, so a proxy is in front of the service, and TRUST_PROXY does not say so.`,
    'Set TRUST_PROXY to the number of proxies in a row, or to their addresses: until then all clients count as one, and share the limits of one address.',
  );
}

/** Adds to what was found of the app's host that no WebSocket gets through. */
async function withRooms({ BASE_URL }: Config, found: Finding): Promise<Finding> {
  if (found.about !== 'app_host' || found.state !== 'ok') return found;
  // The host was just reached. If it cannot be now, nothing is known.
  if (await reachesRooms(new URL(BASE_URL)).catch(() => true)) return found;
  return odd(
    found.about,
    `${found.said} WebSockets do not get through, so players cannot enter rooms.`,
    'Let the proxy speak HTTP/1.1 to the service, and pass on Upgrade and Connection (nginx: proxy_http_version and two proxy_set_header, as in docs/self-hosting.md).',
  );
}

function hostsOf({ BASE_URL, PLAY_HOST, PREVIEW_HOST }: Config): Host[] {
  const { protocol, hostname } = new URL(BASE_URL);
  // Slugs and labels are never this long.
  const nobody = `doctor-${randomBytes(12).toString('hex')}`;
  const below = (parent: string) => new URL(`${protocol}//${nobody}.${parent}/`);
  const star = (parent: string) => `*.${new URL(`http://${parent}`).hostname}`;
  return [
    {
      about: 'app_host',
      address: new URL('/healthz', BASE_URL),
      record: hostname,
      setting: 'BASE_URL',
      status: 200,
    },
    {
      about: 'play_hosts',
      address: below(PLAY_HOST),
      record: star(PLAY_HOST),
      setting: 'PLAY_HOST',
      status: 404,
    },
    {
      about: 'preview_hosts',
      address: below(PREVIEW_HOST),
      record: star(PREVIEW_HOST),
      setting: 'PREVIEW_HOST',
      status: 404,
    },
  ];
}

interface LookedAt {
  readonly host: Host;
  readonly finding: Finding;
  readonly reached: Reached | null;
}

async function lookAtHost(host: Host): Promise<LookedAt> {
  const { about, address, record, setting, status } = host;
  try {
    const reached = await reach(address);
    const finding =
      reached.status === status && reached.isOurs
        ? fine(about, `${record} leads here.`)
        : wrong(
            about,
            `${address.host} answers ${reached.status}, ${who(reached)}.`,
            mendAnswer(reached, host),
          );
    return { host, finding, reached };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    const isUnknown = code === 'ENOTFOUND' || code === 'EAI_AGAIN';
    const advice = isUnknown
      ? `Point ${record} at this service in the DNS (A and AAAA, or CNAME), or correct ${setting}.`
      : `Check that ${record} points to this service's proxy in the DNS and not elsewhere, that the proxy listens at ${address.host} and the service runs, that the firewall allows it, and that this machine can reach it too.`;
    const said = isUnknown
      ? `There is no ${address.hostname} in the DNS.`
      : `${address.host}: ${reasonOf(error)}.`;
    return { host, finding: wrong(about, said, advice), reached: null };
  }
}

function who({ isOurs }: Reached): string {
  return isOurs ? 'from a Spaceport that treats the host as something else' : 'and it is not a Spaceport';
}

function mendAnswer({ status, isOurs }: Reached, { setting, address }: Host): string {
  if (status === 421)
    return `The service gets another Host than ${address.host}: make the proxy pass it on unchanged, and check ${setting}.`;
  if (status === 503 || status === 502 || status === 504)
    return 'The proxy answers, but does not reach a node that is ready: check /readyz.';
  return isOurs
    ? `Check ${setting}: the service uses this host for something else.`
    : 'Something else answers at that name: check the DNS and the proxy.';
}

function certificates({ BASE_URL }: Config, looked: readonly LookedAt[], now: number): Finding {
  const about = 'certificates';
  const { protocol, hostname } = new URL(BASE_URL);
  if (protocol !== 'https:') {
    const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost');
    return isLocal
      ? fine(about, 'No certificate is needed: browsers trust addresses of this machine without one.')
      : odd(
          about,
          'Everything goes over plain http: passwords and tokens can be read on the way, and browsers offer no passkeys.',
          'Put a proxy with certificates in front, and write https:// into BASE_URL.',
        );
  }
  const seen = looked.flatMap(({ host, reached }) =>
    reached?.certificate ? [{ name: host.record, ...reached.certificate }] : [],
  );
  if (seen.length === 0) return unseen(about, 'No host could be reached.');
  const refused = seen.filter(({ complaint }) => complaint !== null);
  if (refused.length > 0)
    return wrong(
      about,
      refused.map(({ name, complaint }) => `${name}: ${complaint}`).join('; '),
      'Get certificates for these names that browsers trust; those with a star need the DNS-01 challenge, or your own certificate files.',
    );
  const [next] = seen.toSorted((one, other) => one.endsAt - other.endsAt);
  if (!next) return unseen(about, 'No host could be reached.');
  const days = Math.floor((next.endsAt - now) / dayMs);
  const said = `The first certificate to expire is that of ${next.name}, in ${days} ${days === 1 ? 'day' : 'days'}.`;
  if (days < soonDays) return odd(about, said, 'Find out why it is not renewed automatically, and renew it.');
  return seen.length < looked.length
    ? odd(about, said, 'Not every host could be reached.')
    : fine(about, said);
}
