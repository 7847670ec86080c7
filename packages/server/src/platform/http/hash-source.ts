import { createHash } from 'node:crypto';

/** Returns the name of a script or style that stands in a document itself, for the document's security policy. */
export function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
