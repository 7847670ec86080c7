/**
 * Returns the path as the router reads it, without the query: queries carry signatures and tokens, paths do
 * not.
 */
export function pathOf(url: string): string {
  const query = url.indexOf('?');
  const path = query === -1 ? url : url.slice(0, query);
  if (!path.includes('%')) return path;
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

const shownPathLength = 300;

/** Returns the path as it was sent, shortened: for a sentence that names it. */
export function spelledPath(url: string): string {
  const [path = ''] = url.split('?');
  return path.slice(0, shownPathLength);
}
