import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type ClamdServerOptions, startClamdServer } from '../../../test/clamd-server.ts';
import { severities, versionOf } from '../rules/checked-files.fixture.ts';
import { clamdAddress } from './address.ts';
import { clamdClient, clamdRule } from './clamd.ts';

const eicar = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('');

async function scanner(context: TestContext, options: ClamdServerOptions = {}) {
  const server = await startClamdServer(options);
  context.after(() => server.close());
  return server;
}

test('files that the scanner reports are refused, with name and path, and others pass', async (context) => {
  const server = await scanner(context);
  const version = versionOf({
    'a.txt': 'fine',
    'empty.txt': '',
    'bad/x.bin': `......${eicar}`,
    'b.png': Buffer.alloc(900_000),
  });
  const findings = await clamdRule({ address: server.address }).check(version);
  assert.equal(findings.length, 1);
  assert.deepEqual([findings[0]?.severity, findings[0]?.path], ['refuse', 'bad/x.bin']);
  assert.match(findings[0]?.message ?? '', /Eicar-Test-Signature/u);
  assert.deepEqual(
    [...server.scanned].sort((one, other) => one - other),
    [0, 4, 6 + eicar.length, 900_000],
  );
});

test('the scanner can be reached over a Unix socket too', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'clamd-'));
  context.after(() => rm(folder, { recursive: true }));
  const { address } = await scanner(context, { socketPath: join(folder, 'clamd.sock') });
  assert.deepEqual(await severities(clamdRule({ address }), versionOf({ 'x.com': eicar })), ['refuse x.com']);
});

test('the scanner reports its version, and whether it is reachable', async (context) => {
  const { address, close } = await scanner(context);
  const client = clamdClient({ address });
  assert.equal(await client.ping(), true);
  assert.match(await client.version(), /^ClamAV 1/u);
  await close();
  assert.equal(await client.ping(), false);
});

test('many files share a few connections, and equal files one scan', async (context) => {
  const server = await scanner(context);
  const files = Object.fromEntries(
    Array.from({ length: 60 }, (_, index) => [`${index}.txt`, `file ${index % 30}`]),
  );
  assert.deepEqual(await clamdRule({ address: server.address }).check(versionOf(files)), []);
  assert.equal(server.scanned.length, 30);
  assert.ok(server.mostConnections() <= 4);
});

test('a file over the size limit of the scanner is left unjudged, and the others are scanned', async (context) => {
  const { address } = await scanner(context, { sizeLimitBytes: 100_000 });
  const version = versionOf({ 'game.wasm': Buffer.alloc(3_000_000, 7), 'a.txt': 'fine', 'x.com': eicar });
  const found = await severities(clamdRule({ address }), version);
  assert.deepEqual(found.sort(), ['refuse x.com', 'unjudged game.wasm']);
});

for (const fault of ['drop', 'garbage', 'endless'] as const) {
  test(`a scanner that answers with "${fault}" leaves the version unjudged`, async (context) => {
    const { address } = await scanner(context, { fault });
    const version = versionOf({ 'a.txt': 'fine', 'b.bin': Buffer.alloc(2_000_000) });
    const [finding, ...more] = await clamdRule({ address }).check(version);
    assert.deepEqual([finding?.severity, more.length], ['unjudged', 0]);
    assert.match(finding?.message ?? '', /did not answer/u);
  });
}

test('a scanner that never answers leaves the version unjudged', async (context) => {
  const { address } = await scanner(context, { fault: 'hang' });
  const rule = clamdRule({ address, idleMilliseconds: 40 });
  assert.deepEqual(await severities(rule, versionOf({ 'a.txt': 'fine', 'b.txt': 'too' })), ['unjudged ']);
});

test('an unreachable scanner leaves the version unjudged, and no file is opened', async (context) => {
  const { address, close } = await scanner(context);
  await close();
  const version = versionOf({ 'a.txt': 'fine' });
  const opened: string[] = [];
  const files = version.files.map((file) => ({
    ...file,
    open: () => {
      opened.push(file.path);
      return file.open();
    },
  }));
  const [finding] = await clamdRule({ address }).check({ ...version, files });
  assert.equal(finding?.severity, 'unjudged');
  assert.doesNotMatch(JSON.stringify(finding), /127\.0\.0\.1/u);
  assert.deepEqual(opened, []);
});

test('the deadline of a check ends the scan', async (context) => {
  const { address, asked } = await scanner(context, { fault: 'hang' });
  // On a busy machine the scan could otherwise end by the connect timeout, not by its signal.
  const rule = clamdRule({ address, connectMilliseconds: 100_000 });
  const connecting = new AbortController();
  const early = rule.check(versionOf({ 'a.txt': 'fine' }, { signal: connecting.signal }));
  connecting.abort(new Error('time is up'));
  await assert.rejects(early, /time is up/u);

  const stop = new AbortController();
  const scan = rule.check(versionOf({ 'a.txt': 'fine' }, { signal: stop.signal }));
  // A scan that ended early has sent nothing, so the race does not wait for the scanner.
  await Promise.race([asked, scan]);
  stop.abort(new Error('time is up'));
  await assert.rejects(scan, /time is up/u);
});

test('a file that cannot be read is not reported as an error of the scanner', async (context) => {
  const { address } = await scanner(context);
  const version = versionOf({ 'a.txt': 'fine' });
  const files = version.files.map((file) => ({
    ...file,
    open: () => Promise.reject(new Error('store down')),
  }));
  await assert.rejects(clamdRule({ address }).check({ ...version, files }), /store down/u);
});

test('scanner addresses are hosts with ports, or paths of sockets', () => {
  assert.deepEqual(clamdAddress('clamav:3310'), { host: 'clamav', port: 3310 });
  assert.deepEqual(clamdAddress('[::1]:3310'), { host: '::1', port: 3310 });
  assert.deepEqual(clamdAddress('/run/clamd.ctl'), { path: '/run/clamd.ctl' });
  assert.deepEqual(clamdAddress('unix:/run/clamd.ctl'), { path: '/run/clamd.ctl' });
  for (const address of [
    '',
    'clamav',
    'clamav:0',
    'clamav:99999',
    'http://clamav:3310',
    'run/clamd.ctl',
    '::1:3310',
  ]) {
    assert.throws(() => clamdAddress(address), TypeError, address);
  }
});
