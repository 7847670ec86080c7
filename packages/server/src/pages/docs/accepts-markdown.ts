/**
 * Returns whether a client prefers Markdown to HTML (RFC 9110 §12.5.1). Browsers name HTML, and programs that
 * name neither get HTML too.
 */
export function acceptsMarkdown(accept: string | undefined): boolean {
  const markdown = weightOf('text/markdown', accept ?? '');
  return markdown > 0 && markdown >= weightOf('text/html', accept ?? '');
}

/** Returns the weight of a media type in an Accept header; 0 if it is not named. */
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
