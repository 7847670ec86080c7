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

/** The numbers of rows with neighbouring ids that share a token: each row is in a block of each size. */
const blockSizes = [64, 512, 4_096] as const;
const largestBlock = blockSizes[2];
const mostBlocks = 10;

/** Returns the tokens that a row shares with the rows of neighbouring ids. */
export function blocksOf(id: number): string[] {
  return blockSizes.map((size) => blockOf(id, size));
}

function blockOf(id: number, size: number): string {
  return `b${size}_${Math.floor(id / size)}`;
}

/**
 * Returns the tokens of blocks with at least `count` of the newest rows, or forty thousand if that is fewer, and with
 * some of those that were added since the statistics were read.
 */
export function newestBlocks({ newest }: TokenStatistics, count: number): string[] {
  const size = blockSizes.find((each) => count <= (mostBlocks - 1) * each) ?? largestBlock;
  const blocks = Math.min(Math.ceil(count / size) + 1, mostBlocks);
  return Array.from({ length: blocks + 1 }, (_, index) => blockOf(newest + (1 - index) * size, size));
}

/** Returns a query as one text, in the syntax of an engine. */
export function tokenText(
  query: TokenQuery,
  { quote, and, or }: { quote: string; and: string; or: string },
): string {
  return query.map((any) => `(${any.map((token) => `${quote}${token}${quote}`).join(or)})`).join(and);
}
