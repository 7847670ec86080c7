import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { test } from 'node:test';
import { fail } from '../../client/test/fake-answers.ts';
import { fakeCli, settings } from '../test/fake-cli.ts';
import { exitCodes } from './exit-codes.ts';

const fake = fakeCli();
const { at, write, read, useSettings, cli, cliProcess, json } = fake;

test('the first publish writes its space to service.json, and the second goes to that space', async () => {
  useSettings({ boards: [{ key: 'points' }] });
  const first = await json(['publish', 'game', '--live']);
  assert.equal(first.code, 0, first.stderr);
  assert.deepEqual([first.document.outcome, first.document.status], ['live', 'live']);
  assert.deepEqual(first.document.uploaded, { files: 2, bytes: 52 });
  assert.match(read('game/service.json'), /^\{\n {2}"space": "a-game",\n {2}"title": "Drift",\n/u);
  assert.deepEqual(fake.service.creates[0]?.fields, settings);
  assert.deepEqual(fake.service.creates[0]?.boards, [{ key: 'points' }]);
  const paths = [...fake.service.versions.values()].map((version) => version.paths);
  assert.deepEqual(paths, [['a.js', 'index.html']]);
  assert.ok(!existsSync(at('game/.spaceport/resume.json')));

  const second = await cli(['publish', 'game', '--live']);
  assert.match(second.stdout, /^Live: version 2 of a-game\n {2}Page {5}http/u);
  assert.match(second.stderr, /Nothing to upload/u);
  assert.equal(fake.service.creates[1]?.space, 'a-game');
});

test('publishes a build folder with the service.json beside it', async () => {
  write('service.json', JSON.stringify(settings));
  const { code } = await cli(['publish', 'game']);
  assert.equal(code, 0);
  assert.equal(JSON.parse(read('service.json')).space, 'a-game');
  assert.ok(!existsSync(at('game/service.json')));
});

test('the commands that a publish prints work in the folder it ran in', async () => {
  useSettings();
  const last = (text: string) => text.trim().split('\n').at(-1);
  assert.equal(
    last((await cli(['publish', 'game'])).stdout),
    'To make it live: spaceport publish game --live',
  );
  fake.service.verdict = { status: 'unjudged', reason: 'The page ran out of time.' };
  const review = 'Publish again, or ask a person to look: spaceport review';
  assert.equal(last((await cli(['publish', 'game', '--live'])).stdout), `${review} 2 --space a-game`);
  const inside = await cli(['publish', '--live'], { cwd: at('game') });
  assert.equal(last(inside.stdout), `${review} 3`);
  const asked = await cli(['publish', '--live', '--no-wait', '--space', 'a-game'], { cwd: at('game') });
  assert.match(asked.stdout, /^See how it went with: spaceport status 4 --space a-game$/mu);

  write("it's new/index.html", '<!doctype html><title>New</title>');
  const odd = await cli(['publish', "it's new", '--config', 'game/service.json', '--space', 'a-game']);
  assert.equal(
    last(odd.stdout),
    "To make it live: spaceport publish 'it'\\''s new' --config game/service.json --space a-game --live",
  );
});

test('publishes a folder without service.json by its flags, and writes one', async () => {
  const args = [
    'publish',
    'game',
    '--title',
    'New',
    '--type',
    'toy',
    '--devices',
    'mobile',
    '--tags',
    'puzzle, sea',
  ];
  const { code, stdout } = await cli(args);
  assert.equal(code, 0);
  assert.match(stdout, /^Preview: version 1 of a-game, for 24 hours\n {2}Preview {2}http:\/\/p--/u);
  const written = JSON.parse(read('game/service.json'));
  assert.deepEqual([written.title, written.space_type, written.space], ['New', 'toy', 'a-game']);
  assert.deepEqual(written.tags, ['puzzle', 'sea']);
});

test('a folder without a description is published with guessed fields, which are printed', async () => {
  const { code, stderr } = await cli(['publish', 'game']);
  assert.equal(code, 0, stderr);
  assert.match(stderr, /published as “Drift & Dive” \(game; desktop\)/u);
  const { title, space_type, devices } = JSON.parse(read('game/service.json'));
  assert.deepEqual([title, space_type, devices], ['Drift & Dive', 'game', ['desktop']]);
});

test('a service.json without the fields of a new space is refused with their names', async () => {
  write('game/service.json', '{ "title": "Drift" }');
  const { code, document } = await json(['publish', 'game']);
  assert.deepEqual([code, document.error.code], [exitCodes.invalid, 'missing_fields']);
  assert.deepEqual(document.error.details.fields, ['space_type', 'devices']);
  assert.deepEqual(fake.service.log, []);
});

test('an unknown field of service.json is named', async () => {
  useSettings({ titel: 'x' });
  const { code, stderr } = await cli(['publish', 'game']);
  assert.equal(code, exitCodes.invalid);
  assert.match(stderr, /titel is not a field of service\.json; did you mean «title»\?$/mu);
  assert.match(stderr, /Known fields: .*space_type/u);
});

test('invalid JSON in service.json is reported with its place', async () => {
  write('game/service.json', '{ "title": }');
  const { code, document } = await json(['publish', 'game']);
  assert.deepEqual([code, document.error.code], [exitCodes.invalid, 'invalid_config']);
  const folder = await json(['publish', 'game', '--config', '.']);
  assert.deepEqual([folder.code, folder.document.error.code], [exitCodes.invalid, 'invalid_config']);
});

test('all bad paths are reported at once', async () => {
  useSettings();
  write('game/a:b.js', '');
  write('game/con.js', '');
  const { code, stderr } = await cli(['publish', 'game']);
  assert.equal(code, exitCodes.invalid);
  assert.match(stderr, /a:b\.js has one of/u);
  assert.match(stderr, /con\.js is a Windows device name/u);
  assert.match(stderr, /\nRename, move or remove them/u);
});

test('control characters in file names do not reach the terminal, and a name keeps to its line', async () => {
  useSettings();
  write('game/esc\u001b[31mred.txt', '');
  write('game/.two\nlines', '');
  write('game/two\nlines.txt', '');
  const { stderr } = await cli(['publish', 'game']);
  assert.doesNotMatch(stderr, /\u001b/u);
  assert.match(stderr, /^ {2}esc \[31mred\.txt has /mu);
  assert.match(stderr, /^ {2}two\\nlines\.txt has /mu);
  rmSync(at('game/esc\u001b[31mred.txt'));
  assert.match((await cli(['publish', 'game'])).stderr, /^two\\nlines\.txt has /u);
  rmSync(at('game/two\nlines.txt'));
  assert.match((await cli(['publish', 'game'])).stderr, /^Left out: \.two\\nlines\.$/mu);
});

test('a folder without files, and one without its entry, are refused with what helps', async () => {
  mkdirSync(at('empty'));
  const empty = await cli(['publish', 'empty']);
  assert.equal(empty.code, exitCodes.invalid);
  assert.match(empty.stderr, /will be published as “empty”.*empty has no files\.\nBuild it first, or name/su);
  useSettings({ entry: 'main.html' });
  const { code, stderr } = await cli(['publish', 'game']);
  assert.equal(code, exitCodes.invalid);
  assert.match(
    stderr,
    /^main\.html is the entry and is not in the folder; its only page is index\.html\.\nBuild it first, .* "entry" in/u,
  );
  write('game/dist/web/main.html', '');
  write('game/dist/main.html', '');
  const built = await cli(['publish', 'game']);
  assert.match(built.stderr, /is not in the folder; it is in dist, dist\/web\.\nBuild it first, name/u);
});

test('a refused version prints its findings and has its own exit code', async () => {
  useSettings();
  const findings = [
    { rule: 'miner', severity: 'refuse', path: 'a.js', message: 'It mines coins.', fix: 'Remove the miner.' },
  ];
  fake.service.verdict = { status: 'refused', reason: 'It would harm players.', report: { findings } };
  const { code, stdout } = await cli(['publish', 'game', '--live']);
  assert.equal(code, exitCodes.refused);
  assert.match(stdout, /Refused: version 1/u);
  assert.match(stdout, /a\.js: It mines coins\. \[miner\]\n {4}Fix: Remove the miner\./u);
  const asked = await json(['review', '1', '--space', 'a-game']);
  assert.deepEqual([asked.code, asked.document.requestedAt], [0, '2026-01-31T12:00:00.000Z']);
});

test('a preview prints the findings of its check', async () => {
  useSettings();
  const findings = [
    { rule: 'page-blank', severity: 'warn', message: 'Nothing is drawn.', fix: 'Draw something.' },
  ];
  fake.service.previewVerdict = { report: { findings } };
  const { code, stdout } = await cli(['publish', 'game']);
  assert.equal(code, 0);
  assert.match(stdout, /note: Nothing is drawn\. \[page-blank\]\n {4}Fix: Draw something\./u);
  fake.service.previewVerdict = { status: 'refused', reason: 'It mines.', report: { findings: [] } };
  assert.equal((await cli(['publish', 'game'])).code, exitCodes.refused);
});

test('a publish without a verdict has its own exit code', async () => {
  useSettings();
  fake.service.verdict = { stopped: true, reason: 'Over the hourly limit.' };
  const { code, document } = await json(['publish', 'game', '--live']);
  assert.deepEqual([code, document.status, document.stopped], [exitCodes.undecided, 'checking', true]);
  fake.service.verdict = { status: 'unjudged', reason: 'The scanner is down.' };
  assert.equal((await json(['publish', 'game', '--live'])).code, exitCodes.undecided);
});

test('a dry run prints what would change and keeps nothing', async () => {
  useSettings();
  const { code, stdout } = await cli(['publish', 'game', '--dry-run']);
  assert.equal(code, 0);
  assert.match(stdout, /would upload 2 files, 52 B/u);
  assert.match(stdout, /\+ index\.html/u);
  assert.equal(fake.service.versions.size, 0);
  assert.doesNotMatch(read('game/service.json'), /space"/u);
});

test('Ctrl-C loses nothing: the same command continues the same version', async () => {
  useSettings();
  let child: ChildProcess | undefined;
  fake.service.intercept = (method, _path, count) => {
    if (method !== 'PUT' || count > 1) return null;
    child?.kill('SIGINT');
    // The upload is under way until the signal arrives.
    return fail(503, 'hosting_unavailable', 'Away.', { 'retry-after': '50' });
  };
  const interrupted = await cliProcess(['publish', 'game', '--live'], {
    onStart: (started) => {
      child = started;
    },
  });
  assert.equal(interrupted.code, exitCodes.interrupted);
  assert.match(interrupted.stderr, /Nothing is lost/u);
  fake.service.intercept = () => null;
  const { document } = await json(['publish', 'game', '--live']);
  assert.deepEqual([document.outcome, document.resumed, document.version.number], ['live', true, 1]);
  assert.equal(fake.service.creates.length, 1);
});

test('Ctrl-C does not lose a page that was published without an account', async () => {
  const env = { SPACEPORT_SERVER: fake.service.baseUrl };
  let child: ChildProcess | undefined;
  fake.service.intercept = (method, _path, count) => {
    if (method === 'PUT' && count === 1) child?.kill('SIGINT');
    return null;
  };
  const interrupted = await cliProcess(['publish', 'game', '--anonymous'], {
    env,
    onStart: (started) => {
      child = started;
    },
  });
  assert.equal(interrupted.code, exitCodes.interrupted);
  fake.service.intercept = () => null;
  const { document } = await json(['publish', 'game', '--anonymous'], { env });
  assert.deepEqual([document.resumed, document.claimToken], [true, fake.service.claim]);
  assert.equal(fake.service.creates.length, 1);
});

test('a claim token that cannot be stored is printed at once', async () => {
  write('game/.spaceport', 'not a folder');
  const { code, stderr } = await cli(['publish', 'game', '--anonymous'], {
    env: { SPACEPORT_SERVER: fake.service.baseUrl },
  });
  assert.equal(code, 0, stderr);
  assert.ok(
    stderr.includes(`Keep its claim link yourself: ${fake.service.baseUrl}/claim#${fake.service.claim}`),
    stderr,
  );
});

test('a publish to a page that is claimed meanwhile ends with the next step', async () => {
  fake.service.intercept = (_method, path) =>
    path.endsWith('/finish') ? fail(409, 'claim_spent', 'The page was claimed.') : null;
  const { code, document } = await json(['publish', 'game', '--anonymous'], {
    env: { SPACEPORT_SERVER: fake.service.baseUrl },
  });
  assert.deepEqual([code, document.error.code], [exitCodes.invalid, 'claim_spent']);
  assert.match(document.error.next, /Sign in as the account that claimed it/u);
});

test('changed content makes a new version instead of resuming the old one', async () => {
  useSettings();
  fake.service.intercept = (_method, path) =>
    path.endsWith('/finish') ? fail(409, 'held', 'The space is under review.') : null;
  const held = await cli(['publish', 'game']);
  assert.deepEqual([held.code, held.stderr.includes('under review')], [exitCodes.invalid, true]);
  fake.service.intercept = () => null;
  write('game/a.js', 'play(2)');
  const { document } = await json(['publish', 'game']);
  assert.deepEqual([document.resumed, document.version.number], [false, 2]);
});

test('a space of somebody else is refused, with a hint what to check', async () => {
  useSettings({ space: 'not-mine' });
  const { code, stderr } = await cli(['publish', 'game']);
  assert.equal(code, exitCodes.notAllowed);
  assert.match(stderr, /not yours\.\nCheck "space" in service\.json/u);
});

test('an unreachable service and a rate limit have their own exit code', async () => {
  useSettings();
  fake.service.intercept = () => fail(429, 'rate_limited', 'Too many publishes.', { 'retry-after': '600' });
  const { code, document } = await json(['publish', 'game']);
  assert.deepEqual(
    [code, document.error.code, document.error.next],
    [exitCodes.unavailable, 'rate_limited', 'Try again in 10 min.'],
  );
});
