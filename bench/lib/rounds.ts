/**
 * Runs every side once per round, in turns (A B A B …), so that other load on the machine affects all sides
 * equally.
 * @returns the results of each side, round by round
 */
export async function interleaved<Sides extends Record<string, () => Promise<unknown>>>(
  rounds: number,
  sides: Sides,
): Promise<{ [Name in keyof Sides]: Awaited<ReturnType<Sides[Name]>>[] }> {
  const names = Object.keys(sides);
  const results: Record<string, unknown[]> = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) {
      const result = await sides[name]?.();
      results[name]?.push(result);
      told(`round ${round + 1} of ${rounds}, ${name}: ${inShort(result)}`);
    }
  }
  // Filled above from the keys and functions of `sides`.
  return results as { [Name in keyof Sides]: Awaited<ReturnType<Sides[Name]>>[] };
}

const began = performance.now();

/** Prints the progress of a bench, with the seconds since the start. */
export function told(what: string): void {
  console.log(`${((performance.now() - began) / 1_000).toFixed(0).padStart(5)} s  ${what}`);
}

/** Returns the numbers in the result of one side's round, as text. */
function inShort(result: unknown): string {
  if (typeof result === 'number') return result.toPrecision(4);
  if (typeof result !== 'object' || result === null) return 'done';
  const figures = Object.entries(result).flatMap(([name, value]) =>
    typeof value === 'number' ? `${name} ${value.toPrecision(4)}` : [],
  );
  return figures.join(', ') || 'done';
}

/** Returns the median. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

export const most = (values: readonly number[]): number => Math.max(...values);
