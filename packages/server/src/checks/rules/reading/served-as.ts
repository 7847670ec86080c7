import mime from 'mime-types';

/** How a browser treats a file, by the type that it is served with: a page in a .txt is only text. */
export type ServedAs = 'html' | 'xml' | 'script' | 'other';

/** Endings that are served as their inner type with a Content-Encoding. */
const packedEnding = /\.(?:br|gz)$/iu;

/** @param path the path of the file in its version; `game.js.br` is a script */
export function servedAs(path: string): ServedAs {
  const type = mime.lookup(path.replace(packedEnding, ''));
  if (!type) return 'other';
  if (type === 'text/html') return 'html';
  // XHTML and SVG run scripts, and any XML may contain XHTML by its namespace.
  if (type.endsWith('/xml') || type.endsWith('+xml')) return 'xml';
  if (type.endsWith('/javascript') || type.endsWith('/ecmascript')) return 'script';
  return 'other';
}
