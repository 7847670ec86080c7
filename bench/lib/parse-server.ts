import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withClient } from './durable-postgres.ts';
import { end, freePort, run, start, untilAnswers } from './processes.ts';

const version = '9.10.0';
/** Pins the router, because Parse Server calls an internal function of it that later versions changed. */
const overrides = { router: '2.2.0' };
/** Limit for the installation; with a slower registry the comparison is left out. */
const installMs = 60_000;
const keys = { appId: 'bench', masterKey: 'a key for a bench', maintenanceKey: 'another' };

/**
 * The same work as our score posts, written as in Parse's own guide: store the submission, store the player's
 * best, count the players above. Unlike ours it is not one transaction, because cloud code has no
 * transactions.
 */
const cloudCode = `
const options = { useMasterKey: true };
Parse.Cloud.define('postScore', async ({ master, params: { board, player, score } }) => {
  if (!master) throw new Parse.Error(Parse.Error.OPERATION_FORBIDDEN, 'only the server posts');
  await new Parse.Object('Submission', { board, player, score }).save(null, options);
  const own = new Parse.Query('Entry').equalTo('board', board).equalTo('player', player);
  const entry = (await own.first(options)) ?? new Parse.Object('Entry', { board, player });
  if (entry.id === undefined || score > entry.get('score')) await entry.save({ score }, options);
  const best = entry.get('score');
  const above = new Parse.Query('Entry').equalTo('board', board).greaterThan('score', best);
  return { rank: (await above.count(options)) + 1, best };
});
`;

export interface ParseServer extends AsyncDisposable {
  readonly pid: number;
  readonly baseUrl: string;
  /** The headers of a call of a space's own server. */
  readonly headers: Record<string, string>;
}

/**
 * Starts Parse Server over PostgreSQL, with a board of this many entries; installed from npm into
 * `workFolder`.
 */
export async function startParseServer(
  workFolder: string,
  databaseUrl: string,
  entries: number,
): Promise<ParseServer> {
  const folder = join(workFolder, 'parse-server');
  await mkdir(folder);
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, overrides }));
  const { PATH = '' } = process.env;
  const install = ['install', '--omit=dev', '--no-audit', '--no-fund', '--ignore-scripts'];
  // The user's npm settings may name a registry.
  const env = { PATH, HOME: process.env.HOME ?? folder };
  await run('load', 'npm', [...install, `parse-server@${version}`], {
    cwd: folder,
    env,
    timeoutMs: installMs,
  });

  const port = await freePort();
  const serverURL = `http://127.0.0.1:${port}/parse`;
  const cloud = join(folder, 'cloud.cjs');
  await writeFile(cloud, cloudCode);
  const settings = { ...keys, databaseURI: databaseUrl, serverURL, port, mountPath: '/parse', cloud };
  const quiet = { logLevel: 'error', silent: true, logsFolder: null, directAccess: true };
  const file = join(folder, 'settings.json');
  await writeFile(file, JSON.stringify({ ...settings, ...quiet }));
  const program = join(folder, 'node_modules', 'parse-server', 'bin', 'parse-server');
  const child = start('server', process.execPath, [program, file], {
    cwd: folder,
    env: { PATH, NODE_ENV: 'production' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await untilAnswers(`${serverURL}/health`, child);
  const headers = { 'x-parse-application-id': keys.appId, 'x-parse-master-key': keys.masterKey };
  await makeClasses(serverURL, headers);
  await withClient(databaseUrl, async (client) => {
    await client.query(
      `insert into "Entry" ("objectId", "createdAt", "updatedAt", board, player, score)
       select 'e' || lpad(n::text, 9, '0'), now(), now(), 'main', 'p' || lpad(n::text, 9, '0'), floor(random() * 1e9)
       from generate_series(0, $1::int - 1) as n`,
      [entries],
    );
    await client.query('create unique index on "Entry" (board, player)');
    await client.query('create index on "Entry" (board, score)');
    await client.query('vacuum analyze "Entry"');
  });
  return {
    pid: child.pid ?? 0,
    baseUrl: `http://127.0.0.1:${port}`,
    headers,
    [Symbol.asyncDispose]: () => end(child),
  };
}

async function makeClasses(serverUrl: string, headers: Record<string, string>): Promise<void> {
  const fields = { board: { type: 'String' }, player: { type: 'String' }, score: { type: 'Number' } };
  for (const className of ['Submission', 'Entry']) {
    const answer = await fetch(`${serverUrl}/schemas/${className}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ className, fields }),
    });
    if (!answer.ok) throw new Error(`Parse Server answered ${answer.status}: ${await answer.text()}`);
  }
}
