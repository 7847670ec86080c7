import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { goProgram } from './go-programs.ts';
import { end, freePort, run, start, untilAnswers } from './processes.ts';

/** The newest version that the Go of current machines builds. */
const pocketbase = {
  name: 'pocketbase',
  command: 'github.com/pocketbase/pocketbase/examples/base',
  version: 'v0.36.8',
};
const admin = { email: 'bench@example.org', password: 'a password for a bench' };

export interface PocketBase extends AsyncDisposable {
  readonly version: string;
  readonly pid: number | undefined;
  readonly baseUrl: string;
}

/**
 * Starts PocketBase with a collection `entries` of this many players with a score each, indexed by both, and
 * a collection `submissions`. Anyone may read and write them, so that access rules cost nothing.
 */
export async function startPocketBase(workFolder: string, entries: number): Promise<PocketBase> {
  const program = await goProgram(pocketbase);
  const data = join(workFolder, 'pocketbase');
  const options = { cwd: workFolder };
  await run('load', program, ['superuser', 'upsert', admin.email, admin.password, '--dir', data], options);
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const child = start(
    'server',
    program,
    ['serve', '--dev=false', `--http=127.0.0.1:${port}`, '--dir', data],
    {
      cwd: workFolder,
    },
  );
  await untilAnswers(`${baseUrl}/api/health`, child);
  await makeCollections(baseUrl);
  fill(join(data, 'data.db'), entries);
  return { version: pocketbase.version, pid: child.pid, baseUrl, [Symbol.asyncDispose]: () => end(child) };
}

async function makeCollections(baseUrl: string): Promise<void> {
  const call = async (path: string, body: object, token = '') => {
    const headers = { 'content-type': 'application/json', authorization: token };
    const answer = await fetch(`${baseUrl}/api/collections${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`PocketBase answered ${answer.status}: ${await answer.text()}`);
    return answer.json();
  };
  const signIn = { identity: admin.email, password: admin.password };
  const { token } = (await call('/_superusers/auth-with-password', signIn)) as { token: string };
  const fields = [
    { name: 'player', type: 'text', required: true },
    { name: 'score', type: 'number' },
  ];
  const open = { type: 'base', fields, listRule: '', viewRule: '', createRule: '' };
  const index = (unique: string, collection: string, column: string) =>
    `create ${unique} index ${collection}_${column} on ${collection} (${column})`;
  const byBoth = [index('unique', 'entries', 'player'), index('', 'entries', 'score')];
  await call('', { ...open, name: 'entries', indexes: byBoth }, token);
  await call('', { ...open, name: 'submissions', indexes: [index('', 'submissions', 'player')] }, token);
}

/** Writes directly into its tables, because its API takes minutes for a hundred thousand rows. */
function fill(file: string, entries: number): void {
  using database = new DatabaseSync(file, { timeout: 5_000 });
  database
    .prepare(
      `insert into entries (id, player, score)
       with recursive numbers(n) as (select 0 union all select n + 1 from numbers where n < ? - 1)
       select printf('e%014d', n), printf('p%09d', n), abs(random()) % 1000000000 from numbers`,
    )
    .run(entries);
}
