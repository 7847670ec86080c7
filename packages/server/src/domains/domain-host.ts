import { domainToASCII } from 'node:url';
import { ServiceError } from '../platform/errors.ts';

const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/u;
const maxLength = 253;
/** Names that no public resolver knows, or that are for numbers. */
const notPublic = new Set(['arpa', 'home', 'internal', 'invalid', 'lan', 'local', 'localhost', 'onion']);

/**
 * A host name as it is compared: in lower case, IDN in its ASCII form, without the dot at its end.
 * @param own hosts of the service, with their ports: neither they nor what is above or under them is anybody's
 * @throws `invalid`
 */
export function readDomainHost(text: string, own: readonly string[]): string {
  // What follows a name in an address would be left out of it without a word.
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
