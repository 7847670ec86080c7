import type { BenchResult, Row } from './result.ts';

/** The normal difference between two runs. */
const tolerated = 0.15;

export interface Worse {
  readonly what: string;
  readonly before: number;
  readonly now: number;
  /** The lost share of the earlier figure, e.g. 0.2. */
  readonly by: number;
}

/**
 * Returns the rows that are more than 15 % worse than before. Compared is the ratio to the reference, which a
 * slower machine does not change, or our own figure if there is no reference. Rows that are in only one of
 * the two are left out.
 */
export function worseRows(before: BenchResult, now: BenchResult): Worse[] {
  const earlier = named(before.rows);
  return [...named(now.rows)].flatMap(([what, row]) => {
    const known = earlier.get(what);
    if (!known || known.reference?.name !== row.reference?.name || known.ours.unit !== row.ours.unit)
      return [];
    const [left, right] = [comparedOf(known), comparedOf(row)];
    const by = isMoreBetter(row) ? 1 - right / left : right / left - 1;
    return by > tolerated ? [{ what, before: left, now: right, by }] : [];
  });
}

/** Returns rows by name. A name that begins with «…» continues the name of the row above. */
function named(rows: readonly Row[]): Map<string, Row> {
  let above = '';
  return new Map(
    rows.map((row): [string, Row] => {
      if (row.what.startsWith('…')) return [`${above} ${row.what}`, row];
      above = row.what;
      return [row.what, row];
    }),
  );
}

function comparedOf({ ours, ratio }: Row): number {
  return ratio ?? ours.value;
}

/**
 * Returns whether more is better: for rates it is, for times, sizes and counts it is not, unless the aim says
 * otherwise.
 */
function isMoreBetter({ aim, ours: { unit } }: Row): boolean {
  if (aim !== null) return aim.atLeast !== undefined;
  return unit.endsWith('/s') || unit === 'a minute';
}
