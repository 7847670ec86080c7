import type { Config } from '../../config.ts';
import { createSafeFetch, type SafeFetch } from './safe-fetch.ts';

type Hosts = Pick<Config, 'BASE_URL' | 'PLAY_HOST' | 'PREVIEW_HOST'>;

/** The names of the service's own hosts; what is below them is its own too. */
export function ownNames(config: Hosts): string[] {
  return [new URL(config.BASE_URL).host, config.PLAY_HOST, config.PREVIEW_HOST].map(
    (host) => new URL(`http://${host}`).hostname,
  );
}

/** Whether a host (lower case, no port) is one of the service's own, or below one: never listed, never fetched. */
export function ownHosts(config: Hosts): (host: string) => boolean {
  const own = ownNames(config);
  return (host) => own.some((name) => host === name || host.endsWith(`.${name}`));
}

/** The way out for the addresses that creators give, under this configuration. */
export function safeFetchFor(config: Hosts & Pick<Config, 'FETCH_ALLOW'>): SafeFetch {
  return createSafeFetch({ allow: config.FETCH_ALLOW, ownHosts: ownHosts(config) });
}
