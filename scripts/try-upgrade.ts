/**
 * `npm run upgrade:try -- REF`: tries an upgrade from the version at REF to this one, on PostgreSQL and S3.
 * While clients publish, post, save and read, it starts the old version, migrates the database to this
 * version's schema, starts this version beside the old one, kills and restarts the old one, and ends it. It
 * fails if an acknowledged write is missing, or if an answer is a 5xx other than 503 with Retry-After. REF is
 * by default the newest tag `v*` before HEAD, else the recorded release; a shallow clone may have neither,
 * which it prints. `--no-restart` keeps the old node running: versions before 0.1.0 could not restart on a
 * newer schema.
 */
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startPostgres } from '../packages/server/test/postgres.ts';
import { startS3, withoutS3 } from '../packages/server/test/s3-server.ts';
import { type MixedNodes, openMixedNodes } from './upgrade/nodes.ts';
import { Traffic } from './upgrade/traffic.ts';
import { installVersionAt } from './upgrade/version-at.ts';
import { versionBefore } from './upgrade/version-before.ts';

/** How often each kind of operation is done in each phase of the upgrade. */
const times = 5;
const root = fileURLToPath(new URL('..', import.meta.url));
const here = fileURLToPath(new URL('../packages/server/bin/spaceport-server.mjs', import.meta.url));
const players = ['ada', 'bea', 'cem'];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'no-restart': { type: 'boolean' } },
});

async function accounts({ call }: MixedNodes, main: string): Promise<string> {
  for (const handle of ['maker', ...players]) {
    const who = ['--handle', handle, '--email', `${handle}@example.org`, '--password', 'a long enough one'];
    await call(main, 'admin', 'create-account', ...who);
  }
  return JSON.parse(await call(main, 'admin', 'create-token', '--handle', 'maker', '--json')).token;
}

/** @returns the numbers of acknowledged operations */
async function upgrade(nodes: MixedNodes, before: string): Promise<Traffic['done']> {
  const [old, next] = [
    { main: before, seat: 0 },
    { main: here, seat: 1 },
  ];
  let oldPort = await nodes.start(old);
  const token = await accounts(nodes, before);
  const { baseUrl, proxy } = nodes;
  const traffic = await Traffic.begin({ baseUrl, port: proxy.port, token, players });
  await traffic.goOn(times);
  await nodes.call(here, 'migrate');
  say('The database has the new schema, and the old node runs on.');
  await traffic.goOn(times);
  const nextPort = await nodes.start(next);
  say('Both run.');
  await traffic.goOn(times);
  if (!values['no-restart']) {
    // As long as both versions run, an old node must be able to restart.
    await nodes.kill(old);
    oldPort = await nodes.start(old);
    say('The old one was killed, and is back.');
    await traffic.goOn(times);
  }
  await traffic.end();
  await traffic.readBack(oldPort);
  await traffic.readBack(nextPort);
  await nodes.end(old);
  await traffic.readBack(nextPort);
  return traffic.done;
}

function say(text: string): void {
  console.log(text);
}

async function tryFrom(ref: string): Promise<void> {
  const before = installVersionAt(root, ref);
  const [postgres, s3] = await Promise.all([startPostgres(), startS3()]);
  const nodes = await openMixedNodes(await postgres.createDatabase(), s3.url);
  try {
    const done = await upgrade(nodes, before.main);
    say(
      `${before.commit} and this version ran side by side; acknowledged and read back: ${JSON.stringify(done)}.`,
    );
  } catch (error) {
    console.error(error);
    process.exitCode = 1;
  } finally {
    for (const wrong of new Set(nodes.wrongs)) console.error(`No user may get this: ${wrong}`);
    if (nodes.wrongs.length > 0) process.exitCode = 1;
    await nodes.close();
    await Promise.all([postgres.stop(), s3.stop()]);
    before.remove();
  }
}

const found = positionals[0] === undefined ? versionBefore(root) : { ref: positionals[0] };
const noStore = await withoutS3();
if ('lacks' in found) say(`No upgrade was tried: ${found.lacks}.`);
else if (noStore !== false) say(`No upgrade was tried: ${noStore}.`);
else await tryFrom(found.ref);
