/**
 * Runs every side once a round, in turns (A B A B …), so that whatever else the machine does meanwhile falls on all of
 * them alike. @returns what each side gave, round by round
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
  // Filled above from the very keys and functions of `sides`.
  return results as { [Name in keyof Sides]: Awaited<ReturnType<Sides[Name]>>[] };
}

const began = performance.now();

/** Says how far a bench is, with the seconds since the start: a figure is not waited for in the dark. */
export function told(what: string): void {
  console.log(`${((performance.now() - began) / 1_000).toFixed(0).padStart(5)} s  ${what}`);
}

/** The figures of one side's round, as far as they are numbers. */
function inShort(result: unknown): string {
  if (typeof result === 'number') return result.toPrecision(4);
  if (typeof result !== 'object' || result === null) return 'done';
  const figures = Object.entries(result).flatMap(([name, value]) =>
    typeof value === 'number' ? `${name} ${value.toPrecision(4)}` : [],
  );
  return figures.join(', ') || 'done';
}

/** The middle value; the mean of the two middle ones of an even number. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

export const least = (values: readonly number[]): number => Math.min(...values);
export const most = (values: readonly number[]): number => Math.max(...values);
