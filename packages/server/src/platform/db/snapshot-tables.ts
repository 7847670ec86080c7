export type Row = Readonly<Record<string, unknown>>;

/** Everything in a database as it was at one instant, while others go on writing. */
export interface Snapshot {
  /**
   * The tables of the schema, each after those that it refers to. The tables of the search are left out: they
   * are built again after a restore.
   */
  tables(): Promise<string[]>;
  /** The rows of a table, in batches. Values are text, finite numbers and null, the same on both engines. */
  rows(table: string): AsyncIterable<readonly Row[]>;
  /**
   * For each table whose ids are counted up: the last number that was given. The row of that number may be
   * deleted.
   */
  counters(): Promise<Record<string, number>>;
  /** The migrations that made the schema, oldest first. */
  migrations(): Promise<string[]>;
}

export const rowsAtOnce = 500;

/**
 * Sorts tables so that each comes after those that it refers to. Each of `references` is [table, the table it
 * refers to].
 * @throws if tables refer to each other in a circle
 */
export function inOrderOfReference(
  tables: readonly string[],
  references: readonly (readonly [string, string])[],
): string[] {
  const ordered: string[] = [];
  let waiting = [...tables];
  while (waiting.length > 0) {
    const free = waiting.filter((table) =>
      references.every(
        ([from, to]) => from !== table || to === table || ordered.includes(to) || !tables.includes(to),
      ),
    );
    if (free.length === 0) throw new Error(`These tables refer to each other: ${waiting.join(', ')}`);
    ordered.push(...free);
    waiting = waiting.filter((table) => !free.includes(table));
  }
  return ordered;
}
