/** The space's own address with parameters in its query; `before` stands before each name. */
export function linkWith(
  { location }: Pick<Window, 'location'>,
  given: Readonly<Record<string, unknown>> | null | undefined,
  before = '',
): string {
  const link = new URL('/', location.origin);
  for (const [name, value] of Object.entries(given ?? {}))
    link.searchParams.set(before + name, String(value));
  return link.href;
}

/** What the page was opened with. */
export function queryOf({ location }: Pick<Window, 'location'>): Map<string, string> {
  return new Map(new URLSearchParams(location.search));
}
