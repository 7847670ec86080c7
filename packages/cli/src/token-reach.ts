/** Describes the rights of a token in a sentence. */
export function describeReach({
  scopes,
  space,
}: {
  scopes: readonly string[];
  space: string | null;
}): string {
  return `It is for ${scopes.join(', ')}, on ${space === null ? 'all your spaces' : `the space ${space} alone`}.`;
}
