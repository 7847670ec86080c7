const hourMs = 3_600_000;
const unitsMs = { h: hourMs, d: 24 * hourMs, w: 7 * 24 * hourMs, m: 30 * 24 * hourMs } as const;

/**
 * Keeps the newest backup of each of the last `count` hours, days, weeks, or months of 30 days that have one.
 */
export interface KeepRule {
  readonly unit: keyof typeof unitsMs;
  readonly count: number;
}

/**
 * Parses `24h 7d 4w 12m`.
 * @throws `Error` whose message continues a sentence that begins with the value
 */
export function parseKeepRules(text: string): readonly KeepRule[] {
  const words = text.split(/[\s,]+/u).filter((word) => word !== '');
  const rules = words.flatMap((word) => {
    const [, count, unit] = /^(\d{1,4})([hdwm])$/u.exec(word) ?? [];
    return unit === undefined ? [] : [{ unit: unit as KeepRule['unit'], count: Number(count) }];
  });
  if (rules.length === 0 || rules.length < words.length)
    throw new Error(
      'is not a rule such as «24h 7d 4w 12m»: hours, days, weeks and months to keep one backup of',
    );
  return rules;
}

/** Returns the instants (epoch milliseconds) that the rules keep. The newest one is always kept. */
export function keptBy(rules: readonly KeepRule[], madeAt: readonly number[]): Set<number> {
  const newestFirst = madeAt.toSorted((one, other) => other - one);
  const kept = new Set(newestFirst.slice(0, 1));
  for (const { unit, count } of rules) {
    const seen = new Set<number>();
    for (const at of newestFirst) {
      const slot = Math.floor(at / unitsMs[unit]);
      if (seen.has(slot)) continue;
      if (seen.size === count) break;
      seen.add(slot);
      kept.add(at);
    }
  }
  return kept;
}
