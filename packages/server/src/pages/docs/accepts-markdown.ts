/**
 * Would somebody who may have a page in both rather have Markdown (RFC 9110 §12.5.1)? Browsers name HTML, and programs that name
 * nothing get it too.
 */
export function acceptsMarkdown(accept: string | undefined): boolean {
  const markdown = weightOf('text/markdown', accept ?? '');
  return markdown > 0 && markdown >= weightOf('text/html', accept ?? '');
}

/** The weight of a media type that is named; 0 where it is not. */
function weightOf(type: string, accept: string): number {
  for (const part of accept.split(',')) {
    const [name = '', ...parameters] = part.split(';').map((each) => each.trim().toLowerCase());
    if (name !== type) continue;
    const weight = parameters.find((each) => each.startsWith('q='));
    const value = weight === undefined ? 1 : Number(weight.slice(2));
    return Number.isFinite(value) ? value : 0;
  }
  return 0;
}
