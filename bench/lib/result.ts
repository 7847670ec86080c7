/** A measured quantity with its unit. */
export interface Figure {
  readonly value: number;
  readonly unit: string;
}

/** An aim: a limit for the ratio of our figure to the reference, or for our figure in its unit. */
export interface Aim {
  readonly of: 'ratio' | 'ours';
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** One row of the table: our figure beside its reference, both measured in this run. */
export interface Row {
  readonly what: string;
  readonly ours: Figure;
  readonly reference: (Figure & { readonly name: string }) | null;
  /** Our figure divided by the reference; null if there is no reference, or it is 0. */
  readonly ratio: number | null;
  /** Null for a figure without an aim. */
  readonly aim: Aim | null;
  readonly met: boolean | null;
}

export interface BenchResult {
  /** The heading of the figures. */
  readonly title: string;
  /** How they were measured: rounds, which values are shown, what is left out. */
  readonly method: string;
  readonly rows: readonly Row[];
  /** Figures that could not be measured here, and what is needed for them. */
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
