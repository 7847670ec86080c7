import type { TestService } from './service.ts';

/** One line of `/metrics`. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** The parsed `/metrics`: names and samples. */
export interface ShownMetrics {
  readonly measured: ReadonlySet<string>;
  readonly samples: readonly Sample[];
  /** Returns the sum of all samples of a name with these labels. */
  sum(name: string, labels?: Readonly<Record<string, string>>): number;
}

export async function readMetrics(service: TestService): Promise<ShownMetrics> {
  const text = (await service.get(`${service.baseUrl}/metrics`)).text();
  const measured = new Set([...text.matchAll(/^# TYPE (\S+)/gmu)].map(([, name = '']) => name));
  const samples = [...text.matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gmu)].map(
    ([, name = '', labels = '', value]) => ({
      name,
      labels: Object.fromEntries(
        [...labels.matchAll(/(\w+)="([^"]*)"/gu)].map(([, label = '', said = '']) => [label, said]),
      ),
      value: Number(value),
    }),
  );
  const has = (sample: Sample, wanted: Readonly<Record<string, string>>) =>
    Object.entries(wanted).every(([label, value]) => sample.labels[label] === value);
  return {
    measured,
    samples,
    sum: (name, labels = {}) =>
      samples
        .filter((sample) => sample.name === name && has(sample, labels))
        .reduce((sum, { value }) => sum + value, 0),
  };
}
