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
 * Returns the tokens of blocks with at least `count` of the newest rows, or some thousand if that is fewer, and with
 * those that were added since the statistics were read.
 */
export function newestBlocks({ newest }: TokenStatistics, count: number): string[] {
  const blocks = Math.min(Math.ceil(count / blockSize) + 1, mostBlocks);
  return Array.from({ length: blocks + 1 }, (_, index) => blockOf(newest + (1 - index) * blockSize));
}

/** Returns a query as one text, in the syntax of an engine. */
export function tokenText(
  query: TokenQuery,
  { quote, and, or }: { quote: string; and: string; or: string },
): string {
  return query.map((any) => `(${any.map((token) => `${quote}${token}${quote}`).join(or)})`).join(and);
}
