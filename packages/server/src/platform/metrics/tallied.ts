import { Histogram, type HistogramConfiguration } from 'prom-client';

/** The values that were observed under one set of labels. */
export interface Tally {
  observe(value: number): void;
}

type TalliedConfiguration<Label extends string> = HistogramConfiguration<Label> & {
  readonly buckets: number[];
};

/**
 * A histogram whose lines are looked up once. prom-client would look up the line of each value by its labels
 * as a text, which costs more than the rest of counting a request.
 */
export class TalliedHistogram<Label extends string> extends Histogram<Label> {
  readonly #configuration: TalliedConfiguration<Label>;
  readonly #lines: { labels: Record<Label, string | number>; tally: Line }[] = [];

  constructor(configuration: TalliedConfiguration<Label>) {
    super(configuration);
    this.#configuration = configuration;
  }

  /** Returns the tally for these labels. It lasts as long as the process, and the caller should keep it. */
  tally(labels: Record<Label, string | number>): Tally {
    const tally = new Line(this.#configuration.buckets);
    this.#lines.push({ labels, tally });
    return tally;
  }

  /**
   * prom-client's registry writes text from this, and its `get` makes figures from it. It is missing in
   * prom-client's types.
   */
  async getForPromString() {
    const { name, help } = this.#configuration;
    const values = this.#lines.flatMap(({ labels, tally }) =>
      tally.count === 0 ? [] : tally.shown(name, labels),
    );
    return { name, help, type: 'histogram', aggregator: 'sum', values };
  }
}

class Line implements Tally {
  readonly #bounds: readonly number[];
  /** How many values were up to each bound, and above the one before it. */
  readonly #counts: number[];
  #sum = 0;
  count = 0;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = bounds.map(() => 0);
  }

  observe(value: number): void {
    this.#sum += value;
    this.count++;
    for (let at = 0; at < this.#bounds.length; at++)
      if (value <= (this.#bounds[at] ?? 0)) {
        this.#counts[at] = (this.#counts[at] ?? 0) + 1;
        return;
      }
  }

  shown(name: string, sharedLabels: Readonly<Record<string, string | number>>) {
    let upTo = 0;
    const bucket = (le: number | string, value: number) => ({
      metricName: `${name}_bucket`,
      labels: { le },
      sharedLabels,
      value,
    });
    return [
      ...this.#bounds.map((le, at) => {
        upTo += this.#counts[at] ?? 0;
        return bucket(le, upTo);
      }),
      bucket('+Inf', this.count),
      { metricName: `${name}_sum`, labels: {}, sharedLabels, value: this.#sum },
      { metricName: `${name}_count`, labels: {}, sharedLabels, value: this.count },
    ];
  }
}
