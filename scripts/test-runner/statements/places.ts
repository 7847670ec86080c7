import { join } from 'node:path';

/** What a test file reached on the engine it ran on: numbers of points, by the path of the queries. */
export interface Reached {
  readonly file: string;
  readonly engine: string;
  readonly points: Readonly<Record<string, readonly number[]>>;
}

/** Where the watched source of a file of queries stands. */
export function codeOf(folder: string, path: string): string {
  return join(folder, 'code', `${path.replaceAll('/', '+')}.js`);
}
