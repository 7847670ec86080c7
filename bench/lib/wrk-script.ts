import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LoadOptions } from './wrk.ts';

/** The reads of wrk: GET of a path with a random number in it. */
export interface RandomReads {
  /** A format for Lua's `string.format`, with one place for the number: `/players/%d`. */
  readonly path: string;
  /** The numbers are whole, from 0, and smaller than this. */
  readonly below: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The headers of a call that one of our own pages makes. */
export const fromOwnPage = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };

/** Writes a wrk script for these reads. Returns the options for `load`. */
export function randomReads(
  folder: string,
  name: string,
  { path, below, headers = {} }: RandomReads,
): Promise<LoadOptions> {
  return wrkScript(
    folder,
    name,
    `
local headers = ${luaTable(headers)}
function init()
  math.randomseed(os.time())
end
function request()
  return wrk.format('GET', string.format(${JSON.stringify(path)}, math.random(0, ${below - 1})), headers)
end
`,
  );
}

/** Writes a Lua script for wrk. Returns the options for `load`. */
export async function wrkScript(folder: string, name: string, text: string): Promise<LoadOptions> {
  const script = join(folder, `${name}.lua`);
  await writeFile(script, text);
  return { script };
}

/** Returns headers as a Lua table. */
export function luaTable(headers: Readonly<Record<string, string>>): string {
  const fields = Object.entries(headers).map(
    ([name, value]) => `[${JSON.stringify(name)}] = ${JSON.stringify(value)}`,
  );
  return `{ ${fields.join(', ')} }`;
}
