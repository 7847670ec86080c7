/** A measured quantity, and what it is counted in. */
export interface Figure {
  readonly value: number;
  readonly unit: string;
}

/** What is aimed at: a bound on the ratio of ours to the reference, or on our own figure in its unit. */
export interface Aim {
  readonly of: 'ratio' | 'ours';
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** One row of the table: a figure of ours beside what it is compared with, both measured in this run. */
export interface Row {
  readonly what: string;
  readonly ours: Figure;
  readonly reference: (Figure & { readonly name: string }) | null;
  /** Ours divided by the reference; null where there is none, or it is nothing. */
  readonly ratio: number | null;
  /** Null for a figure that is only there to be read. */
  readonly aim: Aim | null;
  readonly met: boolean | null;
}

export interface BenchResult {
  /** What the figures are about, as a heading. */
  readonly title: string;
  /** How they were taken: rounds, what of them is shown, what is left out. */
  readonly method: string;
  readonly rows: readonly Row[];
  /** What could not be measured here, and how it could. */
  readonly missing?: readonly string[];
}

/** Makes a row and judges it. */
export function row(
  what: string,
  ours: Figure,
  reference: Row['reference'] = null,
  aim: Aim | null = null,
): Row {
  const ratio = reference === null || reference.value === 0 ? null : ours.value / reference.value;
  return { what, ours, reference, ratio, aim, met: isMet(aim, ours, ratio) };
}

function isMet(aim: Aim | null, ours: Figure, ratio: number | null): boolean | null {
  if (aim === null) return null;
  const value = aim.of === 'ours' ? ours.value : ratio;
  if (value === null) return null;
  return value >= (aim.atLeast ?? -Infinity) && value <= (aim.atMost ?? Infinity);
}
