import type { LoadOptions } from './wrk.ts';
import { fromOwnPage, luaTable, wrkScript } from './wrk-script.ts';

/** Returns about 10 KB of JSON like a game's save, different for every `seed`. */
export function saveOf(seed: number | string): string {
  const things = Array.from({ length: 170 }, (_, id) => ({
    id,
    name: `thing ${id}`,
    x: id * 1.5,
    seen: id % 2 === 0,
  }));
  return JSON.stringify({ level: seed, things });
}

/**
 * Writes a wrk script that saves as each of these players. A player's saves follow each other, and each names
 * the version that the previous one was answered. Returns the options for `load`.
 */
export async function playerSaves(
  folder: string,
  { origin, slug, cookies }: { origin: string; slug: string; cookies: readonly string[] },
): Promise<LoadOptions> {
  const [head, tail] = saveOf('SEED').split('"SEED"');
  return wrkScript(
    folder,
    'saves',
    `
local cookies = { ${cookies.map((cookie) => JSON.stringify(cookie)).join(',\n')} }
local headers = ${luaTable({ Host: new URL(origin).host, ...fromOwnPage })}
local head = [==[{"data":${head}]==]
local tail = [==[${tail}}]==]
-- Whose last save was answered: a slot has the name of its player, which the answer tells, and of this run of wrk.
local free, versions, seed, run = {}, {}, 0, os.time()
for player = 1, #cookies do free[player] = player end
local first, last = 1, #cookies
function request()
  local player = free[first]
  free[first] = nil
  first = first + 1
  seed = seed + 1
  headers["cookie"] = cookies[player]
  headers["if-match"] = versions[player]
  return wrk.format('PUT', '/api/player/saves/s' .. player .. '-' .. run .. '?space=${slug}', headers, head .. seed .. tail)
end
function response(status, _, body)
  local player = tonumber(string.match(body, '"slot":"s(%d+)-'))
  if status ~= 200 or not player then return end
  versions[player] = '"' .. string.match(body, '"version":(%d+)') .. '"'
  last = last + 1
  free[last] = player
end
`,
  );
}
