/**
 * Adds `"space": slug` to the text of a service.json: after `$schema` where that comes first, else first. Indent,
 * line ends and everything else stay as they are.
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
  // An empty object, or a layout not thought of: better whole than pretty.
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
