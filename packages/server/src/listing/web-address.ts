const unreserved = /[A-Za-z0-9._~-]/u;

/**
 * Returns one spelling for all addresses that surely mean the same page, so that duplicates are found:
 * scheme and host in lower case and ASCII, no default port, no dot at the end of the host, no fragment, no
 * `?` without a query, dot segments resolved, percent-encodings of the path in upper case and only where
 * needed (RFC 3986 §6.2.2). The query and `/index.html` are kept as they are, because a server may treat
 * them as different. Idempotent.
 * @throws TypeError if it is not an address
 */
export function normaliseUrl(address: string): string {
  const url = new URL(address);
  url.hash = '';
  url.hostname = url.hostname.replace(/\.+$/u, '');
  url.pathname = url.pathname.replace(/%([0-9a-f]{2})?/giu, normaliseOctet);
  // Setting an empty query drops its question mark.
  if (url.search === '') url.search = '';
  return url.href;
}

function normaliseOctet(encoded: string, digits: string | undefined): string {
  // A per cent sign that encodes nothing is a literal one. It must not combine with text decoded after it.
  if (digits === undefined) return '%25';
  const character = String.fromCharCode(Number.parseInt(digits, 16));
  return unreserved.test(character) ? character : encoded.toUpperCase();
}
