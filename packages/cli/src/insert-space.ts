/**
 * Adds `"space": slug` to the text of a service.json: after `$schema` if that comes first, else at the start.
 * Indent, line ends and everything else are unchanged.
 */
export function insertSpace(text: string, space: string): string {
  const property = `"space": ${JSON.stringify(space)}`;
  const opening = /^\ufeff?\s*\{(\s*)(?:"\$schema"\s*:\s*"(?:[^"\\]|\\.)*"\s*,(\s*))?/u.exec(text);
  if (opening !== null) {
    const [head, first = '', second] = opening;
    const gap = second ?? first;
    const rest = text.slice(head.length);
    const inserted = `${head}${property},${gap || ' '}${rest}`;
    if (holds(inserted, space)) return inserted;
  }
  // An empty object or an unexpected layout: the file is formatted anew, so that the result is correct.
  const value: unknown = JSON.parse(text.replace(/^\ufeff/u, ''));
  return `${JSON.stringify({ ...(typeof value === 'object' ? value : {}), space }, null, 2)}\n`;
}

function holds(text: string, space: string): boolean {
  try {
    const value: unknown = JSON.parse(text.replace(/^\ufeff/u, ''));
    return typeof value === 'object' && value !== null && 'space' in value && value.space === space;
  } catch {
    return false;
  }
}
