/**
 * Returns the page that somebody means who names no entry and has no index.html: the only HTML file at the top, else
 * the only one at all. Engines name it after the game, Godot for one.
 * @returns undefined if there is none, or more than one
 */
export function onlyPage(paths: readonly string[]): string | undefined {
  const pages = paths.filter((path) => /\.html?$/iu.test(path) && !/(?:^|\/)404\.html$/iu.test(path));
  const atTop = pages.filter((path) => !path.includes('/'));
  const meant = atTop.length > 0 ? atTop : pages;
  return meant.length === 1 ? meant[0] : undefined;
}
