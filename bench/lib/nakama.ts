import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withClient } from './durable-postgres.ts';
import { end, run, start, untilAnswers } from './processes.ts';
import { MissingTool } from './tools.ts';

export interface Nakama extends AsyncDisposable {
  readonly version: string;
  readonly pid: number | undefined;
  readonly baseUrl: string;
  /** A session of one player, for reads. */
  readonly token: string;
  /** The path of the server call `post`, which takes a score. */
  readonly postPath: string;
}

const httpKey = 'bench';

/**
 * The leaderboard, and the function that a game's own server calls. In Nakama, scores that clients may not
 * post are posted this way.
 */
const module = `local nk = require("nakama")
nk.leaderboard_create("main", false, "desc", "best")
nk.register_rpc(function(context, payload)
  local post = nk.json_decode(payload)
  local record = nk.leaderboard_record_write("main", post.player, nil, post.score)
  return nk.json_encode({ rank = record.rank, best = record.score })
end, "post")
`;

/** The format of a player's id, for a number and Lua's `string.format`. */
export const playerFormat = '00000000-0000-4000-8000-%012d';

/**
 * Starts Nakama on a PostgreSQL database, with a leaderboard of this many players. The environment variable
 * NAKAMA names its program, because no package registry has it.
 * @param players number of players with an entry
 * @throws MissingTool if the program is missing
 */
export async function startNakama(workFolder: string, databaseUrl: string, players: number): Promise<Nakama> {
  const program = process.env.NAKAMA;
  if (!program || !existsSync(program))
    throw new MissingTool('nakama', 'NAKAMA names no program; github.com/heroiclabs/nakama has releases');
  const modules = join(workFolder, 'nakama');
  await mkdir(modules, { recursive: true });
  await writeFile(join(modules, 'main.lua'), module);
  const { username, password, host, pathname } = new URL(databaseUrl);
  const database = ['--database.address', `${username}:${password}@${host}${pathname}`];
  await run('load', program, ['migrate', 'up', ...database]);
  const said = await run('load', program, ['--version']);

  // The first start makes the leaderboard, which the rows refer to; the second one reads them into its ranks.
  const first = await serve(program, modules, database);
  await end(first.child);
  await fill(databaseUrl, players);
  const { child, baseUrl } = await serve(program, modules, database);
  const token = await signIn(baseUrl).catch(async (error: unknown) => {
    await end(child);
    throw error;
  });
  return {
    version: /\d+(?:\.\d+)+/u.exec(said)?.[0] ?? said.trim(),
    pid: child.pid,
    baseUrl,
    token,
    postPath: `/v2/rpc/post?http_key=${httpKey}&unwrap`,
    [Symbol.asyncDispose]: () => end(child),
  };
}

async function serve(program: string, modules: string, database: readonly string[]) {
  // Its own ports, 7348 to 7351: none that the system gives to a connection.
  const child = start('server', program, [
    ...['--name', 'bench', ...database, '--data_dir', modules, '--runtime.path', modules],
    ...['--logger.level', 'ERROR', '--runtime.http_key', httpKey, '--session.token_expiry_sec', '7200'],
  ]);
  const baseUrl = 'http://127.0.0.1:7350';
  await untilAnswers(`${baseUrl}/healthcheck`, child);
  return { child, baseUrl };
}

/** Writes directly into its tables, because its API takes minutes for a hundred thousand rows. */
async function fill(databaseUrl: string, players: number): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    const id = "('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid";
    await client.query(
      `insert into users (id, username) select ${id}, 'p' || lpad(n::text, 9, '0') from generate_series(0, ${players - 1}) n`,
    );
    await client.query(
      `insert into leaderboard_record (leaderboard_id, owner_id, username, score)
       select 'main', ${id}, 'p' || lpad(n::text, 9, '0'), floor(random() * 1000000000)::bigint from generate_series(0, ${players - 1}) n`,
    );
    await client.query('analyze');
  });
}

async function signIn(baseUrl: string): Promise<string> {
  const answer = await fetch(`${baseUrl}/v2/account/authenticate/device?create=true`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from('defaultkey:').toString('base64')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ id: 'device-of-the-bench' }),
  });
  if (!answer.ok) throw new Error(`Nakama answered ${answer.status}: ${await answer.text()}`);
  const { token } = (await answer.json()) as { token: string };
  return token;
}
