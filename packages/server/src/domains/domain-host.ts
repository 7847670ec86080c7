import { domainToASCII } from 'node:url';
import { ServiceError } from '../platform/errors.ts';

const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/u;
const maxLength = 253;
/** Top-level names that public resolvers do not know, or that are for addresses. */
const notPublic = new Set(['arpa', 'home', 'internal', 'invalid', 'lan', 'local', 'localhost', 'onion']);

/**
 * Normalises a host name: lower case, IDN in its ASCII form, without a dot at its end.
 * @param own hosts of the service, with their ports. They, and names above or below them, are refused.
 * @throws `invalid`
 */
export function readDomainHost(text: string, own: readonly string[]): string {
  // domainToASCII would silently drop what follows a name in a URL.
  const plain = /[\s/?#@:\\%[\]*]/u.test(text.trim()) ? '' : text.trim();
  const host = domainToASCII(plain.replace(/\.$/u, '')).toLowerCase();
  const labels = host.split('.');
  const top = labels.at(-1) ?? '';
  if (host.length > maxLength || labels.length < 2 || !labels.every((part) => label.test(part)))
    throw wrong(text, 'must be a host name such as games.example.org, without scheme, port, star or path');
  if (/^\d+$/u.test(top) || notPublic.has(top)) throw wrong(text, 'must be a name on the public web');
  for (const ours of own) {
    const [name = ''] = ours.toLowerCase().split(':');
    const isNear = host === name || host.endsWith(`.${name}`) || name.endsWith(`.${host}`);
    if (isNear) throw wrong(text, 'must not be a name of this service');
  }
  return host;
}

function wrong(text: string, message: string): ServiceError {
  return new ServiceError('invalid', `«${text.slice(0, 100)}» ${message}.`, {
    issues: [{ path: 'host', message }],
  });
}
