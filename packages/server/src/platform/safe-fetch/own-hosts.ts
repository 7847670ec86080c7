import type { Config } from '../../config.ts';
import { createSafeFetch, type SafeFetch } from './safe-fetch.ts';

type Hosts = Pick<Config, 'BASE_URL' | 'PLAY_HOST' | 'PREVIEW_HOST'>;

/** Returns the names of the service's own hosts. Their subdomains are its own too. */
export function ownNames(config: Hosts): string[] {
  return [new URL(config.BASE_URL).host, config.PLAY_HOST, config.PREVIEW_HOST].map(
    (host) => new URL(`http://${host}`).hostname,
  );
}

/**
 * Returns a function that tells whether a host (lower case, no port) is one of the service's own or a
 * subdomain of one. Such hosts are never listed and never fetched.
 */
function ownHosts(config: Hosts): (host: string) => boolean {
  const own = ownNames(config);
  return (host) => own.some((name) => host === name || host.endsWith(`.${name}`));
}

/** Makes the safe fetch for addresses that creators give, with these settings. */
export function safeFetchFor(config: Hosts & Pick<Config, 'FETCH_ALLOW'>): SafeFetch {
  return createSafeFetch({ allow: config.FETCH_ALLOW, ownHosts: ownHosts(config) });
}
