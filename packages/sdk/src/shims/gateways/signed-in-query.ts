/** Puts parameters into the query of the page, before its own scripts read it. */
export function signedInQuery(
  { location, history }: Pick<Window, 'location' | 'history'>,
  given: Readonly<Record<string, string>>,
): void {
  const url = new URL(location.href);
  for (const [name, value] of Object.entries(given)) url.searchParams.set(name, value);
  history.replaceState(history.state, '', url);
}
