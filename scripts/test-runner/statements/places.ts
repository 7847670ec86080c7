import { join } from 'node:path';

/** The points that a test file reached on an engine: their numbers, by the path of the file of queries. */
export interface Reached {
  readonly file: string;
  readonly engine: string;
  readonly points: Readonly<Record<string, readonly number[]>>;
}

/** Returns the path of the watched source of a file of queries. */
export function codeOf(folder: string, path: string): string {
  return join(folder, 'code', `${path.replaceAll('/', '+')}.js`);
}
