/**
 * `node scripts/try-release.ts ARCHIVE`: starts an archive in a root that has only Node, publishes a space,
 * gives it a cover, opens it, and ends the service. Prints what that proves.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import process from 'node:process';
import { makeEmptyRoot } from './release/empty-root.ts';
import { type Started, startIn } from './release/started.ts';

const picture = new URL('../docs/images/live-space.jpg', import.meta.url);
const page = '<!doctype html><title>Tried</title><h1>It runs</h1>';

/** Goes through the service's main functions. @throws an error if one fails */
async function walk(service: Started): Promise<void> {
  const app = (path: string) => service.ask('localhost', path);
  const front = String((await app('/')).body);
  const script = /src="(\/assets\/[^"]+\.js)"/u.exec(front)?.[1];
  assert.ok(script, 'the front page loads no script: the pages are not of these sources');
  const binding = '/examples/engines/godot/addons/spaceport/spaceport.gd';
  for (const path of ['/readyz', script, '/cli.tgz', '/docs/publish.md', binding])
    assert.equal((await app(path)).status, 200, path);

  const account = ['--handle', 'try', '--email', 'try@example.com', '--password', 'a long enough one'];
  await service.admin('create-account', ...account);
  const { token } = await service.admin('create-token', '--handle', 'try');
  const authorization = `Bearer ${token}`;
  const form = new Response(formOf({ 'index.html': page }));
  const published = await service.ask('localhost', '/api/v1/hosting/publish?live=true&title=Tried', {
    method: 'POST',
    headers: { authorization, 'content-type': form.headers.get('content-type') ?? '' },
    body: new Uint8Array(await form.arrayBuffer()),
  });
  assert.equal(published.status, 201, String(published.body));
  const { space, status } = JSON.parse(String(published.body));
  assert.equal(status, 'live', String(published.body));
  const opened = await service.ask(`${space.slug}.play.localhost`, '/');
  assert.ok(String(opened.body).includes('It runs'), `the space was answered with ${opened.status}`);

  const cover = await service.ask('localhost', `/api/spaces/${space.slug}/cover`, {
    method: 'PUT',
    headers: { authorization, 'content-type': 'image/jpeg' },
    body: readFileSync(picture),
  });
  assert.equal(cover.status, 200, String(cover.body));
}

function formOf(files: Readonly<Record<string, string>>): FormData {
  const form = new FormData();
  for (const [name, text] of Object.entries(files)) form.append(name, new Blob([text]), name);
  return form;
}

const [archive] = process.argv.slice(2);
if (archive === undefined) throw new Error('Which archive? node scripts/try-release.ts ARCHIVE');
const folder = mkdtempSync(join(tmpdir(), 'spaceport-release-'));
try {
  execFileSync('tar', ['-xzf', resolve(archive), '-C', folder]);
  // The licences of the packages in the builds of the server and the pages.
  const licences = globSync('*/packages/{server,web}/dist/*/licenses.md', { cwd: folder });
  assert.equal(licences.length, 2, `licences: ${licences.join(', ')}`);
  const root = makeEmptyRoot(folder);
  const service = await startIn(root, basename(archive, '.tgz'));
  try {
    await walk(service);
  } finally {
    assert.equal(await service.end(), 0, 'SIGTERM did not end it well');
  }
  console.log(`${basename(archive)} starts, publishes and serves in ${root.proves}.`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
