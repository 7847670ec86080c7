import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { cliLine } from '@spaceport/contract/cli-line';
import { extract } from 'tar-stream';
import { oldestNode } from './oldest-node.ts';
import { startService, type TestService } from './service.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
/**
 * The command with the bare name on npm. Nobody owns that name: its next owner could run code on users'
 * machines.
 */
const bareName = new RegExp(['npx(?: --yes| -y)?', 'spaceport\\b'].join(' '), 'u');

describe('the command line that the service serves', () => {
  let service: TestService;
  let folder: string;
  before(async () => {
    service = await startService();
    folder = mkdtempSync(join(tmpdir(), 'spaceport-served-cli-'));
  });
  after(async () => {
    rmSync(folder, { recursive: true, force: true });
    await service.close();
  });
  const open = (path: string, headers = {}) => service.get(`${service.baseUrl}${path}`, { headers });

  async function unpack(): Promise<Map<string, string>> {
    const files = new Map<string, string>();
    const tar = extract();
    tar.end(gunzipSync((await open('/cli.tgz')).body));
    for await (const entry of tar) {
      const chunks: Buffer[] = [];
      for await (const chunk of entry as AsyncIterable<Buffer>) chunks.push(chunk);
      files.set(entry.header.name, Buffer.concat(chunks).toString());
    }
    return files;
  }

  /** Runs the command line as npx does, without the checkout in reach. */
  async function run(node: string, ...words: string[]) {
    for (const [name, text] of await unpack()) {
      mkdirSync(join(folder, name, '..'), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    const { bin } = JSON.parse(readFileSync(join(folder, 'package/package.json'), 'utf8'));
    const env = { PATH: '', HOME: folder, XDG_CONFIG_HOME: join(folder, '.config') };
    const start = join(folder, 'package', String(Object.values(bin)[0]));
    return promisify(execFile)(node, [start, ...words], { cwd: folder, env });
  }

  it('publishes from an empty folder with the oldest supported Node, and knows its service', async (t) => {
    const node = oldestNode();
    t.diagnostic(
      `run with Node ${node.version}${node.path === process.execPath ? ': no older one is in PATH' : ''}`,
    );
    mkdirSync(join(folder, 'dist'), { recursive: true });
    writeFileSync(join(folder, 'dist/index.html'), '<!doctype html><title>Far away</title>');
    const { stdout, stderr } = await run(node.path, 'publish', './dist', '--anonymous', '--json');
    const { pageUrl, previewUrl } = JSON.parse(stdout);
    assert.match(stderr, /“Far away” \(game; desktop\)/u);
    assert.ok(pageUrl.startsWith(`${service.baseUrl}/s/`), pageUrl);
    assert.match((await service.get(previewUrl)).text(), /Far away/u);

    const { version, build, url } = (await open('/cli.json')).json();
    assert.equal(url, `${service.baseUrl}/cli.tgz`);
    const said = await run(node.path, '--version');
    assert.equal(said.stdout, `${version} (build ${build}, from ${service.baseUrl})\n`);
    const help = await run(node.path, 'publish', '--help');
    assert.ok(help.stdout.startsWith(`Usage: ${cliLine(service.baseUrl, 'publish')}`), help.stdout);
    await assert.rejects(run(node.path, 'whoami'), (error: Error & { stderr: string }) =>
      error.stderr.includes(`Sign in: ${cliLine(service.baseUrl, 'login')} (or`),
    );
  });

  it('prints plain lines when there is no terminal, even with many files', async () => {
    const many = join(folder, 'many');
    mkdirSync(many, { recursive: true });
    writeFileSync(join(many, 'index.html'), '<!doctype html><title>Many</title>');
    for (let index = 0; index < 30; index++) writeFileSync(join(many, `part-${index}.txt`), `part ${index}`);
    const { stdout, stderr } = await run(oldestNode().path, 'publish', many, '--anonymous');
    assert.match(stdout, /^Published: version 1/mu);
    assert.ok(!`${stdout}${stderr}`.includes('\u001b'), 'colours');
    assert.doesNotMatch(stderr, /Warning/u);
  });

  it('is one package without dependencies, revalidated on each request and always the same', async () => {
    const files = await unpack();
    assert.deepEqual(
      [...files.keys()],
      ['licenses.md', 'package.json', 'spaceport.mjs', 'start.mjs', 'origin.json'].map(
        (name) => `package/${name}`,
      ),
    );
    assert.match(files.get('package/licenses.md') ?? '', /Permission is hereby granted/u);
    const manifest = JSON.parse(files.get('package/package.json') ?? '');
    assert.deepEqual([manifest.dependencies, manifest.scripts], [undefined, undefined]);
    // Each build has a package name of its own, so that npx does not go on with an older build from its
    // cache.
    const { build } = (await open('/cli.json')).json();
    assert.ok(manifest.name.endsWith(`-${build}`), manifest.name);
    assert.deepEqual(Object.keys(manifest.bin), [`spaceport-${build}`]);
    for (const path of ['/cli.tgz', '/cli.json']) {
      const answer = await open(path);
      assert.equal(answer.headers['cache-control'], 'public, max-age=0, must-revalidate');
      const etag = String(answer.headers.etag);
      assert.equal((await open(path, { 'if-none-match': etag })).status, 304);
      const head = await service.get(`${service.baseUrl}${path}`, { method: 'HEAD' });
      assert.deepEqual([head.status, head.headers.etag, head.body.length], [200, etag, 0]);
    }
    const before = (await open('/cli.tgz')).headers.etag;
    await service.restart();
    assert.equal((await open('/cli.tgz')).headers.etag, before);
  });

  it('is in every document, and no document has the bare command name', async () => {
    const line = cliLine(service.baseUrl, '').trimEnd();
    for (const path of ['/', '/drop', '/llms.txt', '/docs/api']) {
      const text = (await open(path)).text();
      // Pages keep the words of a command together by elements around them.
      assert.ok(text.replaceAll(/<[^>]*>/gu, '').includes(line), path);
      assert.doesNotMatch(text, bareName, path);
    }
    const paths = globSync(
      [
        'README.md',
        'docs/**/*.md',
        'scripts/**/*.ts',
        'examples/**/*.{md,json,js}',
        'packages/*/{src,bin,test}/**/*',
        'packages/*/README.md',
      ],
      { cwd: root },
    ).filter((path) => /\.(?:md|tsx?|mjs|js|json)$/u.test(path));
    assert.ok(paths.length > 500);
    const offenders = paths.filter((path) => bareName.test(readFileSync(join(root, path), 'utf8')));
    assert.deepEqual(offenders, []);
  });
});
