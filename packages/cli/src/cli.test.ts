import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { ConnectionError } from '@spaceport/client/api-error';
import { fail } from '../../client/test/fake-answers.ts';
import { fakeCli } from '../test/fake-cli.ts';
import { launcher } from '../test/run-cli.ts';
import { exitCodes } from './exit-codes.ts';
import { failureOf } from './failure.ts';

const fake = fakeCli();
const { at, write, read, useSettings, cli, cliProcess, json } = fake;

test('login, whoami and logout work, and only the user can read the stored token', async () => {
  const env = {};
  const login = await cliProcess(['login', '--token', '-', '--server', fake.service.baseUrl], {
    env,
    input: fake.service.token,
  });
  assert.deepEqual([login.code, login.stderr], [0, '']);
  assert.match(login.stdout, /as @ada, until 2099-01-01/u);
  assert.equal(statSync(at('.config/spaceport/config.json')).mode & 0o777, 0o600);

  const who = await cli(['whoami'], { env });
  assert.match(who.stdout, /Ada \(@ada\) at http:\/\/127/u);
  assert.match(who.stdout, /It is for publish, boards, moderate, on all your spaces\./u);
  await cli(['logout'], { env });
  assert.doesNotMatch(read('.config/spaceport/config.json'), /sp_token/u);
  const after = await json(['whoami', '--server', fake.service.baseUrl], { env });
  assert.deepEqual([after.code, after.document.error.code], [exitCodes.notAllowed, 'not_signed_in']);
});

test('a sign-in keeps one to another service that ended while it waited', async () => {
  const other = { token: 'sp_token_other', handle: 'ada' };
  fake.service.intercept = () => {
    write('.config/spaceport/config.json', JSON.stringify({ servers: { 'https://other.example': other } }));
    return null;
  };
  const { code } = await json(['login', '--token', fake.service.token], {
    env: { SPACEPORT_SERVER: fake.service.baseUrl },
  });
  assert.equal(code, 0);
  const { servers } = JSON.parse(read('.config/spaceport/config.json'));
  assert.deepEqual(servers['https://other.example'], other);
  assert.equal(servers[fake.service.baseUrl].token, fake.service.token);
});

test('invalid scopes are refused before any request', async () => {
  for (const words of [
    ['--scopes', 'all'],
    ['--scopes', ''],
    ['--scopes', 'publish,publish'],
    ['--scopes', 'publish', '--token', 'x'],
  ]) {
    const { code, document } = await json(['login', ...words], { env: {} });
    assert.deepEqual([code, document.error.code], [exitCodes.usage, 'usage'], words.join(' '));
  }
});

test('a token that the service does not know is not stored', async () => {
  for (const token of ['wrong', `${fake.service.token}\nmore`]) {
    const { code, stderr } = await cli(['login', '--token', token]);
    assert.equal(code, exitCodes.notAllowed);
    assert.match(stderr, /\nCopy the whole token, or sign in by a link: /u);
  }
  assert.ok(!existsSync(at('.config')));
  const env = { SPACEPORT_SERVER: fake.service.baseUrl, SPACEPORT_TOKEN: 'wrong' };
  const who = await cli(['whoami'], { env });
  assert.equal(who.code, exitCodes.notAllowed);
  assert.match(who.stderr, /\nSPACEPORT_TOKEN has the token that was refused\. Correct it, or unset it and/u);
});

test('whoever signs in or out while the environment has a token is told that it goes first', async () => {
  for (const words of [['login', '--token', fake.service.token], ['logout']])
    assert.match((await cli(words)).stderr, /^SPACEPORT_TOKEN is set: commands use it, and not the stored /u);
});

test('a token in the environment may end with a line break, and none is within it', async () => {
  const env = { SPACEPORT_SERVER: fake.service.baseUrl, SPACEPORT_TOKEN: ` ${fake.service.token}\r\n` };
  assert.equal((await cli(['whoami'], { env })).code, 0);
  const broken = { ...env, SPACEPORT_TOKEN: `${fake.service.token}\nmore` };
  const { code, document } = await json(['whoami'], { env: broken });
  assert.deepEqual([code, document.error.code], [exitCodes.notAllowed, 'unauthorized']);
  assert.match(document.error.message, /^SPACEPORT_TOKEN is not a token/u);
});

test('without a place for settings a token in the environment works, and login says what to do', async () => {
  // A path below a file, as a home that is no folder; a home that the user may not enter is the same case.
  const env = { SPACEPORT_SERVER: fake.service.baseUrl, XDG_CONFIG_HOME: at('game/a.js') };
  const who = await cli(['whoami'], { env: { ...env, SPACEPORT_TOKEN: fake.service.token } });
  assert.equal(who.code, 0, who.stderr);
  assert.equal((await json(['whoami'], { env })).document.error.code, 'not_signed_in');
  const asked = fake.service.log.length;
  for (const words of [['--start'], ['--finish'], []]) {
    const { code, document } = await json(['login', ...words], { env });
    assert.deepEqual([code, document.error.code], [exitCodes.unexpected, 'config_not_written']);
    assert.match(document.error.next, /XDG_CONFIG_HOME.*SPACEPORT_TOKEN/u);
  }
  // Nobody approves a sign-in whose token could not be stored.
  assert.equal(fake.service.log.length, asked);
  const given = await json(['login', '--token', fake.service.token], { env });
  assert.equal(given.document.error.code, 'config_not_written');
});

test('a certificate of an unknown authority is answered with how to name the authority', () => {
  const cause = Object.assign(new Error('self-signed certificate'), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
  const { exitCode, next } = failureOf(new ConnectionError('https://spaceport.example', cause));
  assert.equal(exitCode, exitCodes.unavailable);
  assert.match(next ?? '', /NODE_EXTRA_CA_CERTS/u);
});

test('a certificate that is not valid now asks for the clock, and one of another name for the address', () => {
  const nextOf = (code: string) =>
    failureOf(
      new ConnectionError('https://spaceport.example', Object.assign(new Error('It is not.'), { code })),
    ).next;
  for (const code of ['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID'])
    assert.match(nextOf(code) ?? '', /^The clock of this computer says \d{4}-\d\d-\d\d \d\d:\d\d UTC\. If /u);
  assert.match(nextOf('ERR_TLS_CERT_ALTNAME_INVALID') ?? '', /check the address/u);
});

test('an address with https of a service without it is answered with how it begins', async () => {
  const server = fake.service.baseUrl.replace('http:', 'https:');
  const { code, stderr } = await cli(['whoami', '--server', server]);
  assert.equal(code, exitCodes.unavailable);
  assert.match(stderr, /^No answer from https:.*wrong version number.*\nWhat .* begins with http:\/\/\n$/iu);
});

test('init writes service.json from what it finds in the folder, and asks nothing without a terminal', async () => {
  const { code, stdout } = await cli(['init', 'game', '--devices', 'desktop,gamepad']);
  assert.equal(code, 0);
  assert.match(stdout, /Publish a preview with: spaceport publish game$/mu);
  assert.deepEqual(JSON.parse(read('game/service.json')), {
    $schema: './.spaceport/service.schema.json',
    title: 'Drift & Dive',
    space_type: 'game',
    devices: ['desktop', 'gamepad'],
  });
  assert.ok(existsSync(at('game/.spaceport/service.schema.json')));
  const again = await cli(['init', 'game']);
  assert.equal(again.code, exitCodes.invalid);
  assert.match(again.stderr, /exists already/u);
});

test('init --agents writes how to publish into AGENTS.md, and leaves the rest of it', async () => {
  write('AGENTS.md', '# House rules\n');
  const { code, document } = await json(['init', '--agents']);
  assert.deepEqual([code, document.changed], [0, true]);
  const written = read('AGENTS.md');
  assert.ok(written.startsWith('# House rules\n\n<!-- spaceport: begin'), written);
  assert.ok(written.includes(`npx --yes ${fake.service.baseUrl}/cli.tgz publish ./dist --json`), written);
  assert.ok(!existsSync(at('service.json')));
  const again = await json(['init', '--agents']);
  assert.deepEqual([again.document.changed, read('AGENTS.md')], [false, written]);
  write('AGENTS.md', written.replace('<!-- spaceport: end -->', ''));
  const broken = await json(['init', '--agents']);
  assert.deepEqual([broken.code, broken.document.error.code], [exitCodes.invalid, 'invalid_config']);
});

test('init refuses an unknown type', async () => {
  const { code, document } = await json(['init', 'game', '--type', 'sport']);
  assert.deepEqual([code, document.error.code], [exitCodes.invalid, 'invalid_config']);
  assert.ok(!existsSync(at('game/service.json')));
});

test('versions, status, preview and rollback show and change the versions of a space', async () => {
  useSettings();
  await cli(['publish', 'game', '--live']);
  await cli(['publish', 'game', '--live']);
  const cwd = at('game');
  const list = await json(['versions'], { cwd });
  assert.deepEqual(
    list.document.versions.map((version: { number: number; live: boolean }) => [
      version.number,
      version.live,
    ]),
    [
      [2, true],
      [1, false],
    ],
  );
  assert.match((await cli(['versions'], { cwd })).stdout, /^No\. +Status.*\n2 +LIVE/u);
  assert.match((await cli(['status'], { cwd })).stdout, /^Version 2: live\n/u);
  assert.equal((await json(['status', '1'], { cwd })).document.number, 1);
  assert.equal((await json(['status', list.document.versions[1].id])).document.number, 1);
  assert.match((await cli(['preview', 'v1'], { cwd })).stdout, /^http:\/\/p--x\.test\//u);
  assert.match((await cli(['rollback', '1'], { cwd })).stdout, /^Live: version 1 of a-game/u);
  const missing = await json(['status', '9'], { cwd });
  assert.deepEqual([missing.code, missing.document.error.code], [exitCodes.invalid, 'not_found']);
});

test('a preview of a refused version names the command that shows why', async () => {
  useSettings();
  await cli(['publish', 'game']);
  fake.service.intercept = (_method, path) =>
    path.endsWith('/preview') ? fail(409, 'not_previewable', 'The version was refused.') : null;
  const { code, stderr } = await cli(['preview', '1'], { cwd: at('game') });
  assert.equal(code, exitCodes.invalid);
  assert.match(stderr, /^The version was refused\.\nSee what to change: .*status 1\n$/u);
});

test('a review that nobody has to make names the command that shows the status', async () => {
  useSettings();
  await cli(['publish', 'game']);
  fake.service.intercept = (_method, path) =>
    path.endsWith('/review') ? fail(409, 'not_refused', 'Only a refused version can be reviewed.') : null;
  const { stderr } = await cli(['review', '1'], { cwd: at('game') });
  assert.match(stderr, /\nSee its status: spaceport status 1\n$/u);
});

test('a wrong command line is a usage error, also in JSON', async () => {
  assert.equal((await cliProcess(['publsh'])).code, exitCodes.usage);
  const { code, document } = await json(['publish', '--lively']);
  assert.deepEqual([code, document.error.code], [exitCodes.usage, 'usage']);
  assert.match(document.error.next, /--help/u);
  assert.deepEqual(document.error.details, {});
  const empty = await json(['versions', '--space', '']);
  assert.deepEqual([empty.code, empty.document.error.code], [exitCodes.usage, 'usage']);
  assert.equal((await cli(['versions'])).code, exitCodes.usage);
  assert.equal((await cli(['--help'])).code, 0);
  assert.match((await cliProcess(['--version'])).stdout, /^\d+\.\d+\.\d+/u);
});

test('an empty argument, as of a variable that is not set, is refused', async () => {
  write('game/service.json', JSON.stringify({ space: 'a-game' }));
  for (const words of [
    ['publish', '', '--live'],
    ['init', ' ', '--agents'],
    ['status', ''],
    ['delete-version', '', '--yes'],
    ['webhooks', 'resend', 'hook', ''],
  ]) {
    const { code, document } = await json(words, { cwd: at('game') });
    assert.deepEqual([code, document.error.code], [exitCodes.usage, 'usage'], words.join(' '));
    assert.match(document.error.message, /^argument '\w+' is empty$/u);
  }
  assert.equal((await json(['login', '--start', '--space', ''])).code, exitCodes.usage);
  assert.deepEqual(fake.service.log, []);
});

test('a command by the name that other tools have for it, or a folder, is answered with ours', async () => {
  for (const [words, meant] of [
    [['deploy'], 'publish'],
    [['ls', '--json'], 'spaces'],
    [['./dist'], 'publish ./dist'],
    [['dist', '--live'], 'publish dist'],
  ] as const) {
    const { code, stderr } = await cli([...words]);
    assert.equal(code, exitCodes.usage);
    assert.ok(stderr.includes(`unknown command '${words[0]}'\n(Did you mean ${meant}?)\n`), stderr);
  }
  assert.match((await json(['deploy'])).document.error.message, /^unknown .*Did you mean publish\?\)$/su);
  // A group has commands of its own.
  assert.doesNotMatch((await cli(['boards', 'list'])).stderr, /Did you mean/u);
});

test('a reader that stops early, as head does, is no error', async () => {
  const child = spawn(process.execPath, [launcher, '--help'], { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.destroy();
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  assert.deepEqual([code, said], [0, '']);
});

test('mcp ends when the program that started it reads no answers any more', async () => {
  const child = spawn(process.execPath, [launcher, 'mcp', '--server', fake.service.baseUrl], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  child.stdout.destroy();
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })}\n`);
  assert.deepEqual(await once(child, 'exit'), [0, null]);
});

test('a command that waits for stdin ends at a signal', async () => {
  for (const words of [
    ['boards', 'put', '-', '--space', 'a-game'],
    ['login', '--token', '-'],
  ]) {
    const { code, stderr } = await cliProcess(words, {
      isOpen: true,
      // More than a pipe holds: once it is written, the command is reading.
      onStart: (child) => child.stdin?.write('x'.repeat(1_000_000), () => child.kill('SIGTERM')),
    });
    assert.equal(code, exitCodes.interrupted, words.join(' '));
    assert.match(stderr, /^Interrupted\./u);
  }
});
