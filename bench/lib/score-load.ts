import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LoadOptions } from './wrk.ts';

/** The posts of wrk: JSON to a path, for random players from 0 to `players`, with random scores. */
export interface ScorePosts {
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly players: number;
  /** A Lua expression for the body. It can use `post()`, which returns the JSON of one score. */
  readonly body?: string;
  /** Further JSON fields of each post besides player and score. */
  readonly fields: string;
}

/** Writes a wrk script for these posts. @returns the options for `load` */
export async function scorePosts(folder: string, name: string, posts: ScorePosts): Promise<LoadOptions> {
  const { path, headers, players, fields, body = 'post()' } = posts;
  const script = join(folder, `${name}.lua`);
  await writeFile(
    script,
    `
local headers = { ${Object.entries({ 'content-type': 'application/json', ...headers })
      .map(([key, value]) => `[${JSON.stringify(key)}] = ${JSON.stringify(value)}`)
      .join(', ')} }
function post()
  return string.format('{${fields},"player":"p%09d","score":%d}', math.random(0, ${players - 1}), math.random(0, 999999999))
end
function init()
  math.randomseed(os.time())
end
function request()
  return wrk.format('POST', ${JSON.stringify(path)}, headers, ${body})
end
`,
  );
  return { script };
}

/**
 * Writes a wrk script that reads entries of the board `main` around random players. @returns the options for
 * `load`
 */
export async function entryReads(
  folder: string,
  { slug, players, host, limit = 1 }: { slug: string; players: number; host: string; limit?: number },
): Promise<LoadOptions> {
  const script = join(folder, 'entries.lua');
  await writeFile(
    script,
    `
local headers = { Host = ${JSON.stringify(host)} }
function init()
  math.randomseed(os.time())
end
function request()
  local path = string.format('/api/gallery/${slug}/boards/main/entries?limit=${limit}&around=p%09d', math.random(0, ${players - 1}))
  return wrk.format('GET', path, headers)
end
`,
  );
  return { script };
}
