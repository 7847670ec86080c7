import type { LoadOptions } from './wrk.ts';
import { luaTable, randomReads, wrkScript } from './wrk-script.ts';

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
export function scorePosts(folder: string, name: string, posts: ScorePosts): Promise<LoadOptions> {
  const { path, headers, players, fields, body = 'post()' } = posts;
  return wrkScript(
    folder,
    name,
    `
local headers = ${luaTable({ 'content-type': 'application/json', ...headers })}
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
}

/**
 * Writes a wrk script that reads entries of the board `main` around random players. @returns the options for
 * `load`
 */
export function entryReads(
  folder: string,
  { slug, players, host, limit = 1 }: { slug: string; players: number; host: string; limit?: number },
): Promise<LoadOptions> {
  return randomReads(folder, 'entries', {
    path: `/api/gallery/${slug}/boards/main/entries?limit=${limit}&around=p%09d`,
    below: players,
    headers: { Host: host },
  });
}
