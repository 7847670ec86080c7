const listedTag = /(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/gu;

/**
 * Returns the first of `tags` (each `"…"`) that an If-None-Match header lists, by weak comparison (RFC 9110
 * §13.1.2); for `*` the first tag. Undefined if none is listed.
 */
export function listedIn(header: string, tags: readonly string[]): string | undefined {
  if (header.trim() === '*') return tags[0];
  const listed = new Set<string>();
  for (const match of header.matchAll(listedTag)) if (match[1] !== undefined) listed.add(match[1]);
  return tags.find((tag) => listed.has(tag));
}

/**
 * Returns whether a range may be sent: without an If-Range header, or if the header is exactly this strong
 * tag (RFC 9110 §13.1.5). Dates never match, because we send none.
 */
export function allowsRange(ifRange: string | undefined, tag: string): boolean {
  return ifRange === undefined || ifRange.trim() === tag;
}
