import type { Db } from '../platform/db/schema.ts';
import { ServiceError } from '../platform/errors.ts';
import { findBlocked } from './blocked.queries.ts';
import { normaliseUrl } from './web-address.ts';

export { blockAddress, unblockAddress } from './blocked.queries.ts';

/**
 * Returns whether an operator has blocked the address, its host (with or without its
 * port) or a domain above it.
 */
export async function isBlocked(db: Db, address: string): Promise<boolean> {
  const normal = normaliseUrl(address);
  const { host, hostname } = new URL(normal);
  const labels = hostname.split('.');
  const domains = labels.map((_, index) => labels.slice(index).join('.'));
  return findBlocked(db, [normal, host, ...domains]);
}

const maxLength = 2_000;

/**
 * Reads an address to block: a host (`example.com`, with its subdomains and every port), a host with a port,
 * or a whole URL. Returns the spelling that is compared.
 * @throws `invalid` for anything else
 */
export function readBlockable(text: string): string {
  const isUrl = /^https?:\/\//iu.test(text);
  const url = URL.parse(isUrl ? text : `http://${text}`);
  const normal = url && normaliseUrl(url.href);
  const address = normal && (isUrl ? normal : new URL(normal).host);
  // `*.example.com` is the same as `example.com`, and no host has that name.
  const isPattern = url?.hostname.includes('*') === true;
  const isHost =
    isUrl || (url?.pathname === '/' && url.search === '' && url.hash === '' && url.username === '');
  if (!address || isPattern || !isHost || address.length > maxLength) {
    const message = 'must be a host (its subdomains are blocked with it), a host with a port, or an address';
    throw new ServiceError('invalid', `«${text.slice(0, 200)}» ${message}.`, {
      issues: [{ path: 'host', message }],
    });
  }
  return address;
}
