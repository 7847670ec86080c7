import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { FakeService, fail } from '../../client/test/fake-service.ts';
import { type RunOptions, runCli } from '../test/run-cli.ts';
import { exitCodes } from './exit-codes.ts';

let service: FakeService;
let folder: string;
beforeEach(async () => {
  service = await FakeService.start();
  folder = mkdtempSync(join(tmpdir(), 'spaceport-cli-'));
  write('game/index.html', '<!doctype html><title>Drift &amp; Dive</title>');
  write('game/a.js', 'play()');
});
afterEach(async () => {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

function write(path: string, text: string): void {
  mkdirSync(join(folder, path, '..'), { recursive: true });
  writeFileSync(join(folder, path), text);
}
const read = (path: string) => readFileSync(join(folder, path), 'utf8');
const settings = { title: 'Drift', space_type: 'game', devices: ['desktop'] };
const useSettings = (more: object = {}) =>
  write('game/service.json', JSON.stringify({ ...settings, ...more }, null, 2));

/** Runs the command signed in by the environment. */
function cli(args: string[], options: Partial<RunOptions> = {}) {
  const env = { SPACEPORT_SERVER: service.baseUrl, SPACEPORT_TOKEN: service.token };
  return runCli(args, { cwd: folder, env, ...options });
}
async function json(args: string[], options: Partial<RunOptions> = {}) {
  const { code, stdout, stderr } = await cli([...args, '--json'], options);
  // Exactly one document: anything else on stdout would not parse.
  return { code, stderr, document: JSON.parse(stdout) };
}

test('signs in, says who, and signs out; the token is the user’s alone', async () => {
  const env = {};
  const login = await cli(['login', '--token', '-', '--server', service.baseUrl], {
    env,
    input: service.token,
  });
  assert.deepEqual([login.code, login.stderr], [0, '']);
  assert.match(login.stdout, /as @ada, until 2099-01-01/u);
  assert.equal(statSync(join(folder, '.config/spaceport/config.json')).mode & 0o777, 0o600);

  const who = await cli(['whoami'], { env });
  assert.match(who.stdout, /Ada \(@ada\) at http:\/\/127/u);
  assert.match(who.stdout, /It is for publish, boards, moderate, on all your spaces\./u);
  await cli(['logout'], { env });
  assert.doesNotMatch(read('.config/spaceport/config.json'), /sp_token/u);
  const after = await json(['whoami', '--server', service.baseUrl], { env });
  assert.deepEqual([after.code, after.document.error.code], [exitCodes.notAllowed, 'not_signed_in']);
});

test('scopes that are none are told before anything is asked', async () => {
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
  const { code, stderr } = await cli(['login', '--token', 'wrong']);
  assert.equal(code, exitCodes.notAllowed);
  assert.match(stderr, /Sign in again/u);
  assert.ok(!existsSync(join(folder, '.config')));
});

test('init writes a service.json from what the folder tells, and asks nothing without a terminal', async () => {
  const { code } = await cli(['init', 'game', '--devices', 'desktop,gamepad']);
  assert.equal(code, 0);
  assert.deepEqual(JSON.parse(read('game/service.json')), {
    $schema: './.spaceport/service.schema.json',
    title: 'Drift & Dive',
    space_type: 'game',
    devices: ['desktop', 'gamepad'],
  });
  assert.ok(existsSync(join(folder, 'game/.spaceport/service.schema.json')));
  const again = await cli(['init', 'game']);
  assert.equal(again.code, exitCodes.invalid);
  assert.match(again.stderr, /is there already/u);
});

test('init --agents writes how to publish into AGENTS.md, and leaves the rest of it', async () => {
  writeFileSync(join(folder, 'AGENTS.md'), '# House rules\n');
  const { code, document } = await json(['init', '--agents']);
  assert.deepEqual([code, document.changed], [0, true]);
  const written = read('AGENTS.md');
  assert.ok(written.startsWith('# House rules\n\n<!-- spaceport: begin'), written);
  assert.ok(written.includes(`npx --yes ${service.baseUrl}/cli.tgz publish ./dist --json`), written);
  assert.ok(!existsSync(join(folder, 'service.json')));
  const again = await json(['init', '--agents']);
  assert.deepEqual([again.document.changed, read('AGENTS.md')], [false, written]);
  writeFileSync(join(folder, 'AGENTS.md'), written.replace('<!-- spaceport: end -->', ''));
  const broken = await json(['init', '--agents']);
  assert.deepEqual([broken.code, broken.document.error.code], [exitCodes.invalid, 'invalid_config']);
});

test('init refuses a type that there is not', async () => {
  const { code, document } = await json(['init', 'game', '--type', 'sport']);
  assert.deepEqual([code, document.error.code], [exitCodes.invalid, 'invalid_config']);
  assert.ok(!existsSync(join(folder, 'game/service.json')));
});

test('the first publish remembers its space in service.json, the second goes there', async () => {
  useSettings({ boards: [{ key: 'points' }] });
  const first = await json(['publish', 'game', '--live']);
  assert.equal(first.code, 0, first.stderr);
  assert.equal(first.document.outcome, 'live');
  assert.deepEqual(first.document.uploaded, { files: 2, bytes: 52 });
  assert.match(read('game/service.json'), /^\{\n {2}"space": "a-game",\n {2}"title": "Drift",\n/u);
  assert.deepEqual(service.creates[0]?.fields, settings);
  assert.deepEqual(service.creates[0]?.boards, [{ key: 'points' }]);
  const paths = [...service.versions.values()].map((version) => version.paths);
  assert.deepEqual(paths, [['a.js', 'index.html']]);
  assert.ok(!existsSync(join(folder, 'game/.spaceport/resume.json')));

  const second = await cli(['publish', 'game', '--live']);
  assert.match(second.stdout, /^Live: version 2 of a-game\n {2}Page {5}http/u);
  assert.match(second.stderr, /Nothing to upload/u);
  assert.equal(service.creates[1]?.space, 'a-game');
});

test('publishes a build folder by the service.json beside it', async () => {
  write('service.json', JSON.stringify(settings));
  const { code } = await cli(['publish', 'game']);
  assert.equal(code, 0);
  assert.equal(JSON.parse(read('service.json')).space, 'a-game');
  assert.ok(!existsSync(join(folder, 'game/service.json')));
});

test('publishes a folder without service.json by its flags, and leaves one', async () => {
  const args = ['publish', 'game', '--title', 'New', '--type', 'toy', '--devices', 'mobile'];
  const { code, stdout } = await cli(args);
  assert.equal(code, 0);
  assert.match(stdout, /^Preview: version 1 of a-game, for 24 hours\n {2}Preview {2}http:\/\/p--/u);
  const written = JSON.parse(read('game/service.json'));
  assert.deepEqual([written.title, written.space_type, written.space], ['New', 'toy', 'a-game']);
});

test('a folder that nobody described tells of itself, and the guess is said', async () => {
  const { code, stderr } = await cli(['publish', 'game']);
  assert.equal(code, 0, stderr);
  assert.match(stderr, /published as “Drift & Dive” \(game; desktop\)/u);
  const { title, space_type, devices } = JSON.parse(read('game/service.json'));
  assert.deepEqual([title, space_type, devices], ['Drift & Dive', 'game', ['desktop']]);
});

test('a service.json that lacks what a new space needs is told so', async () => {
  write('game/service.json', '{ "title": "Drift" }');
  const { code, document } = await json(['publish', 'game']);
  assert.deepEqual([code, document.error.code], [exitCodes.invalid, 'missing_fields']);
  assert.deepEqual(document.error.details.fields, ['space_type', 'devices']);
  assert.deepEqual(service.log, []);
});

test('an unknown field of service.json is named', async () => {
  useSettings({ titel: 'x' });
  const { code, stderr } = await cli(['publish', 'game']);
  assert.equal(code, exitCodes.invalid);
  assert.match(stderr, /titel is not a field of service\.json; did you mean «title»\?/u);
  assert.match(stderr, /Known fields: .*space_type/u);
});

test('a service.json that is not JSON says where', async () => {
  write('game/service.json', '{ "title": }');
  const { code, document } = await json(['publish', 'game']);
  assert.deepEqual([code, document.error.code], [exitCodes.invalid, 'invalid_config']);
});

test('every bad path is told at once', async () => {
  useSettings();
  write('game/a:b.js', '');
  write('game/con.js', '');
  const { code, stderr } = await cli(['publish', 'game']);
  assert.equal(code, exitCodes.invalid);
  assert.match(stderr, /a:b\.js has one of/u);
  assert.match(stderr, /con\.js is a Windows device name/u);
});

test('a refusal ends with its findings and an exit code of its own', async () => {
  useSettings();
  const findings = [
    { rule: 'miner', severity: 'refuse', path: 'a.js', message: 'It mines coins.', fix: 'Remove the miner.' },
  ];
  service.verdict = { status: 'refused', reason: 'It would harm players.', report: { findings } };
  const { code, stdout } = await cli(['publish', 'game', '--live']);
  assert.equal(code, exitCodes.refused);
  assert.match(stdout, /Refused: version 1/u);
  assert.match(stdout, /a\.js: It mines coins\. \[miner\]\n {4}Fix: Remove the miner\./u);
  const asked = await json(['review', '1', '--space', 'a-game']);
  assert.deepEqual([asked.code, asked.document.requestedAt], [0, '2026-01-31T12:00:00.000Z']);
});

test('a preview is told with what the check found in it', async () => {
  useSettings();
  const findings = [
    { rule: 'page-blank', severity: 'warn', message: 'Nothing is drawn.', fix: 'Draw something.' },
  ];
  service.previewVerdict = { report: { findings } };
  const { code, stdout } = await cli(['publish', 'game']);
  assert.equal(code, 0);
  assert.match(stdout, /note: Nothing is drawn\. \[page-blank\]\n {4}Fix: Draw something\./u);
  service.previewVerdict = { status: 'refused', reason: 'It mines.', report: { findings: [] } };
  assert.equal((await cli(['publish', 'game'])).code, exitCodes.refused);
});

test('no verdict has an exit code of its own', async () => {
  useSettings();
  service.verdict = { stopped: true, reason: 'Over the hourly limit.' };
  assert.equal((await json(['publish', 'game', '--live'])).code, exitCodes.undecided);
  service.verdict = { status: 'unjudged', reason: 'The scanner is down.' };
  assert.equal((await json(['publish', 'game', '--live'])).code, exitCodes.undecided);
});

test('a dry run tells what would change and keeps nothing', async () => {
  useSettings();
  const { code, stdout } = await cli(['publish', 'game', '--dry-run']);
  assert.equal(code, 0);
  assert.match(stdout, /would upload 2 files, 52 B/u);
  assert.match(stdout, /\+ index\.html/u);
  assert.equal(service.versions.size, 0);
  assert.doesNotMatch(read('game/service.json'), /space"/u);
});

test('Ctrl-C loses nothing: the same command goes on with the same version', async () => {
  useSettings();
  let child: ChildProcess | undefined;
  service.intercept = (method, _path, count) => {
    if (method === 'PUT' && count === 1) child?.kill('SIGINT');
    return null;
  };
  const interrupted = await cli(['publish', 'game', '--live'], {
    onStart: (started) => {
      child = started;
    },
  });
  assert.equal(interrupted.code, exitCodes.interrupted);
  assert.match(interrupted.stderr, /Nothing is lost/u);
  service.intercept = () => null;
  const { document } = await json(['publish', 'game', '--live']);
  assert.deepEqual([document.outcome, document.resumed, document.version.number], ['live', true, 1]);
  assert.equal(service.creates.length, 1);
});

test('Ctrl-C loses no page without an account either', async () => {
  const env = { SPACEPORT_SERVER: service.baseUrl };
  let child: ChildProcess | undefined;
  service.intercept = (method, _path, count) => {
    if (method === 'PUT' && count === 1) child?.kill('SIGINT');
    return null;
  };
  const interrupted = await cli(['publish', 'game', '--anonymous'], {
    env,
    onStart: (started) => {
      child = started;
    },
  });
  assert.equal(interrupted.code, exitCodes.interrupted);
  service.intercept = () => null;
  const { document } = await json(['publish', 'game', '--anonymous'], { env });
  assert.deepEqual([document.resumed, document.claimToken], [true, service.claim]);
  assert.equal(service.creates.length, 1);
});

test('a claim token that cannot be kept is given to the user at once', async () => {
  write('game/.spaceport', 'not a folder');
  const { code, stderr } = await cli(['publish', 'game', '--anonymous'], {
    env: { SPACEPORT_SERVER: service.baseUrl },
  });
  assert.equal(code, 0, stderr);
  assert.ok(
    stderr.includes(`Keep its claim link yourself: ${service.baseUrl}/claim#${service.claim}`),
    stderr,
  );
});

test('a page that is claimed while it is published to ends with what to do', async () => {
  service.intercept = (_method, path) =>
    path.endsWith('/finish') ? fail(409, 'claim_spent', 'The page was claimed.') : null;
  const { code, document } = await json(['publish', 'game', '--anonymous'], {
    env: { SPACEPORT_SERVER: service.baseUrl },
  });
  assert.deepEqual([code, document.error.code], [exitCodes.invalid, 'claim_spent']);
  assert.match(document.error.next, /Sign in as the account that claimed it/u);
});

test('changed content is a new version, not the resumed one', async () => {
  useSettings();
  service.intercept = (_method, path) =>
    path.endsWith('/finish') ? fail(409, 'held', 'The space is under review.') : null;
  const held = await cli(['publish', 'game']);
  assert.deepEqual([held.code, held.stderr.includes('under review')], [exitCodes.invalid, true]);
  service.intercept = () => null;
  write('game/a.js', 'play(2)');
  const { document } = await json(['publish', 'game']);
  assert.deepEqual([document.resumed, document.version.number], [false, 2]);
});

test('a space of somebody else is not allowed, and what to look at is said', async () => {
  useSettings({ space: 'not-mine' });
  const { code, stderr } = await cli(['publish', 'game']);
  assert.equal(code, exitCodes.notAllowed);
  assert.match(stderr, /not yours\.\nLook at "space" in service\.json/u);
});

test('a service that is not there, or limits the rate, is its own exit code', async () => {
  useSettings();
  service.intercept = () => fail(429, 'rate_limited', 'Too many publishes.', { 'retry-after': '600' });
  const { code, document } = await json(['publish', 'game']);
  assert.deepEqual(
    [code, document.error.code, document.error.next],
    [exitCodes.unavailable, 'rate_limited', 'Try again in 10 min.'],
  );
});

test('versions, status, preview and rollback', async () => {
  useSettings();
  await cli(['publish', 'game', '--live']);
  await cli(['publish', 'game', '--live']);
  const cwd = join(folder, 'game');
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

test('a wrong command line is a usage error, also in JSON', async () => {
  assert.equal((await cli(['publsh'])).code, exitCodes.usage);
  const { code, document } = await json(['publish', '--lively']);
  assert.deepEqual([code, document.error.code], [exitCodes.usage, 'usage']);
  assert.equal((await cli(['versions'])).code, exitCodes.usage);
  assert.equal((await cli(['--help'])).code, 0);
  assert.match((await cli(['--version'])).stdout, /^\d+\.\d+\.\d+/u);
});
