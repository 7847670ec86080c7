import type { DurablePostgres } from './durable-postgres.ts';
import { type DatabaseLoad, databaseLoad, medianCpu, medianDatabase } from './measured-load.ts';
import { type Aim, type Figure, type Row, row } from './result.ts';
import { interleaved } from './rounds.ts';
import { type LoadOptions, medianP99, medianRate } from './wrk.ts';

/** The requests to one server, and the process whose CPU time is measured. */
export interface ServerLoad {
  readonly url: string;
  readonly pid: number | undefined;
  readonly options?: LoadOptions;
  /** The database of the server, if its CPU time is measured too. */
  readonly postgres?: Pick<DurablePostgres, 'cpuSeconds'> | null;
}

export interface Comparison {
  /** The text of the first row. */
  readonly what: string;
  /** One request in words: `post`; by default `request`. */
  readonly each?: string;
  readonly ours: ServerLoad;
  readonly theirs: ServerLoad & { readonly name: string };
  readonly aim: Aim | null;
}

/**
 * Loads two servers in turns, after one round to warm up. Returns the medians of ours beside theirs: the rate,
 * the CPU time of a request, that of the database, and the 99th percentile.
 */
export async function compareLoads(
  { what, each = 'request', ours, theirs, aim }: Comparison,
  { rounds, seconds }: { readonly rounds: number; readonly seconds: number },
): Promise<Row[]> {
  const side =
    ({ url, pid, options, postgres = null }: ServerLoad) =>
    () =>
      databaseLoad(postgres, url, pid, { ...options, seconds });
  const sides = { ours: side(ours), theirs: side(theirs) };
  await interleaved(1, sides);
  const results = await interleaved(rounds, sides);
  const reference = (figure: Figure) => ({ name: theirs.name, ...figure });
  const beside = (of: (loads: readonly DatabaseLoad[]) => Figure) =>
    [of(results.ours), reference(of(results.theirs))] as const;
  const [ofOurs, ofTheirs] = beside(medianDatabase);
  return [
    row(what, ...beside((loads) => medianRate(loads, `${each}s/s`)), aim),
    row(`… CPU time of a ${each}`, ...beside(medianCpu)),
    ...(ours.postgres ? [row('… CPU time of PostgreSQL', ofOurs, theirs.postgres ? ofTheirs : null)] : []),
    row('… p99', ...beside(medianP99)),
  ];
}
