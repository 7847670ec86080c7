/** A row fits if it has at least one token of each of these lists. */
export type TokenQuery = readonly (readonly string[])[];

/** Statistics by which a search chooses its way to the rows. */
export interface TokenStatistics {
  /** The share of rows (0 to 1) with each of the thousand most common tokens. */
  readonly frequencies: ReadonlyMap<string, number>;
  /** The number of rows, roughly. */
  readonly rows: number;
  /** The id of the newest row. */
  readonly newest: number;
}

const blockSize = 1_024;
const mostBlocks = 8;

/** Returns a token that rows with neighbouring ids share. */
export function blockOf(id: number): string {
  return `b_${Math.floor(id / blockSize)}`;
}

/**
 * Narrows a query to at least `count` of the newest rows, or some thousand if that is fewer, and to those that were
 * added since the statistics were read.
 */
export function amongNewest(query: TokenQuery, { newest }: TokenStatistics, count: number): TokenQuery {
  const blocks = Math.min(Math.ceil(count / blockSize) + 1, mostBlocks);
  const ids = Array.from({ length: blocks + 1 }, (_, index) => newest + (1 - index) * blockSize);
  return [...query, ids.map(blockOf)];
}
