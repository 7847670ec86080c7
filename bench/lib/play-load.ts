import {
  hashSessionToken,
  newSessionToken,
  sessionCookieName,
} from '../../packages/server/src/accounts/sign-in/session-token.ts';
import { givenId } from '../../packages/server/src/platform/db/ids.ts';
import { newId } from '../../packages/server/src/platform/secrets/id.ts';
import { playerId } from './board-data.ts';
import { openData } from './open-data.ts';
import type { LoadOptions } from './wrk.ts';
import { fromOwnPage, luaTable, wrkScript } from './wrk-script.ts';

/** Signs in the first `count` seeded players, each in a separate browser. Returns their cookies. */
export async function signInPlayers(
  dataFolder: string,
  environment: Record<string, string>,
  { count, origin }: { count: number; origin: string },
): Promise<string[]> {
  await using data = await openData(dataFolder, environment);
  const { database, clock } = data.platform;
  const now = clock.now();
  const tokens = Array.from({ length: count }, newSessionToken);
  const rows = tokens.map((token, number) => ({
    id: newId('ses'),
    token: hashSessionToken(token),
    creator_id: givenId('usr', playerId(number)),
    expires_at: now + 86_400_000,
    created_at: now,
    updated_at: now,
    user_agent: null,
  }));
  await database.db.insertInto('auth_sessions').values(rows).execute();
  return tokens.map((token) => `${sessionCookieName(origin)}=${token}`);
}

/**
 * Opens the space as each player, and writes a wrk script that posts their scores. Returns the options for
 * `load`.
 */
export async function playerPosts(
  folder: string,
  { origin, slug, cookies }: { origin: string; slug: string; cookies: readonly string[] },
): Promise<LoadOptions> {
  const players: string[] = [];
  for (const cookie of cookies) {
    const answer = await fetch(`${origin}/api/player/sessions`, {
      method: 'POST',
      headers: { ...fromOwnPage, cookie },
      body: JSON.stringify({ space: slug, version: null }),
    });
    if (!answer.ok) throw new Error(await answer.text());
    const { session } = (await answer.json()) as { session: string };
    players.push(`{ ${JSON.stringify(cookie)}, ${JSON.stringify(session)} }`);
  }
  return wrkScript(
    folder,
    'player-posts',
    `
local players = { ${players.join(',\n')} }
local headers = ${luaTable({ Host: new URL(origin).host, ...fromOwnPage })}
function init()
  math.randomseed(os.time())
end
function request()
  local player = players[math.random(#players)]
  headers["cookie"] = player[1]
  return wrk.format('POST', '/api/player/scores', headers,
    string.format('{"session":"%s","board":"main","score":%d}', player[2], math.random(0, 999999999)))
end
`,
  );
}
