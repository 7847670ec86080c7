export type Row = Readonly<Record<string, unknown>>;

/** Everything in a database as it was at one instant, while others go on writing. */
export interface Snapshot {
  /** The tables of the schema, each after those that it refers to, without those of the search: they are made again. */
  tables(): Promise<string[]>;
  /** The rows of a table, some at a time: text, finite numbers and null, the same on both engines. */
  rows(table: string): AsyncIterable<readonly Row[]>;
  /** Of tables whose ids are counted up: the last number that was given, which may be of a row that is gone. */
  counters(): Promise<Record<string, number>>;
  /** The migrations that made the schema, oldest first. */
  migrations(): Promise<string[]>;
}

export const rowsAtOnce = 500;

/** Tables in an order in which each comes after those it refers to. `references` is [table, the one it refers to]. */
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
