/** Returns whether less (`asc`) or more (`desc`) is better on a board, as it is declared. */
export function sortOf({
  sort,
  metric,
}: {
  readonly sort?: 'asc' | 'desc' | undefined;
  readonly metric?: string | undefined;
}): 'asc' | 'desc' {
  return sort ?? (metric === 'time' ? 'asc' : 'desc');
}
