import type { IncomingHttpHeaders } from 'node:http';

/** `type/subtype`, and anything as parameters (RFC 9110 §8.3.1). */
const mediaType = /^[ \t]*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+[ \t]*(?:;|$)/u;

/**
 * Drops a Content-Type that names no media type. The framework refuses it before anybody looks at the body, and a
 * body without a type is as welcome as one with the right type.
 */
export function dropBrokenType(headers: IncomingHttpHeaders): void {
  const type = headers['content-type'];
  if (type !== undefined && !mediaType.test(type)) headers['content-type'] = undefined;
}
