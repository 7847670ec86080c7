import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import process from 'node:process';
import { test } from 'node:test';
import { fakeCli, settings } from '../test/fake-cli.ts';
import { exitCodes } from './exit-codes.ts';

const fake = fakeCli();
const { at, write, read, cli } = fake;

/** Calls `action` when the service is asked to create a version. */
function whileCreating(action: () => void): void {
  fake.service.intercept = (method, path) => {
    if (method === 'POST' && path === '/api/v1/hosting/versions') action();
    return null;
  };
}

test('the space of a build is written into its project, which the build does not empty', async () => {
  write('app/package.json', '{}');
  write('app/dist/index.html', '<!doctype html><title>Built</title>');
  const first = await cli(['publish', 'dist', '--live'], { cwd: at('app') });
  assert.equal(first.code, 0, first.stderr);
  assert.match(first.stderr, /The new space is "a-game"\. service\.json says so now/u);
  rmSync(at('app/dist'), { recursive: true });
  write('app/dist/index.html', '<!doctype html><title>Built again</title>');
  // From elsewhere, by its path, it is the same space.
  const second = await cli(['publish', 'app/dist', '--live']);
  assert.equal(second.code, 0, second.stderr);
  assert.equal(fake.service.creates[1]?.space, 'a-game');
  assert.ok(!existsSync(at('app/dist/service.json')) && !existsSync(at('app/dist/.spaceport')));
});

test('the claim of a page without an account is kept in the project of the build', async () => {
  write('app/Cargo.toml', '');
  write('app/dist/web/index.html', '<!doctype html><title>Built</title>');
  const { code, stderr } = await cli(['publish', 'app/dist/web', '--anonymous']);
  assert.equal(code, 0, stderr);
  assert.ok(existsSync(at('app/.spaceport/claim.json')) && !existsSync(at('app/dist/web/.spaceport')));
});

test("what Unity's build window makes is a build too", async () => {
  write('app/ProjectSettings/ProjectSettings.asset', '');
  write('app/Builds/WebGL/index.html', '<!doctype html><title>Built</title>');
  const { code, stderr } = await cli(['publish', 'app/Builds/WebGL']);
  assert.equal(code, 0, stderr);
  assert.equal(JSON.parse(read('app/service.json')).space, 'a-game');
  assert.ok(!existsSync(at('app/Builds/WebGL/service.json')));
});

test('so is what Angular makes, but not where it makes several', async () => {
  write('app/angular.json', '{}');
  write('app/package.json', '{ "name": "moon" }');
  write('app/dist/moon/browser/index.html', '<!doctype html><title>Built</title>');
  write('app/dist/moon/3rdpartylicenses.txt', '');
  const { code, stderr } = await cli(['publish', 'app/dist/moon/browser']);
  assert.equal(code, 0, stderr);
  assert.equal(JSON.parse(read('app/service.json')).space, 'a-game');
  assert.deepEqual(readdirSync(at('app/dist/moon/browser')), ['index.html']);

  rmSync(at('app/service.json'));
  write('app/dist/sun/browser/index.html', '<!doctype html><title>Built</title>');
  await cli(['publish', 'app/dist/sun/browser']);
  assert.ok(existsSync(at('app/dist/sun/browser/service.json')) && !existsSync(at('app/service.json')));
});

test('init writes for a build into its project, with the name of that', async () => {
  write('app/package.json', '{ "name": "moon-hopper", "description": "Hop." }');
  write('app/dist/index.html', '<!doctype html><h1>Built</h1>');
  for (const [words, cwd] of [
    [['init'], at('app/dist')],
    [['init', 'app/dist'], at('.')],
  ] as const) {
    const { code, document } = await fake.json([...words], { cwd });
    assert.deepEqual(
      [code, document.file, document.title, document.description],
      [0, at('app/service.json'), 'moon hopper', 'Hop.'],
    );
    assert.ok(!existsSync(at('app/dist/service.json')) && !existsSync(at('app/dist/.spaceport')));
    // A second one changes nothing, from wherever it is run.
    const again = await fake.json([...words], { cwd });
    assert.equal(again.document.error.code, 'exists');
    rmSync(at('app/service.json'));
  }
});

test('a folder that cannot be written is named by init, with the reason', async () => {
  // A folder in the place of the file that is written first: nobody can write it, not even root.
  mkdirSync(at(`game/service.json.${process.pid}.tmp`));
  const { code, document } = await fake.json(['init', 'game']);
  assert.deepEqual([code, document.error.code], [exitCodes.unexpected, 'not_written']);
  assert.match(document.error.message, /service\.json cannot be written: /u);
});

test('folders that no project builds keep their own service.json, and so do those that have one', async () => {
  for (const folder of ['games/one', 'games/two', 'builds/dist', 'app/dist/web'])
    write(`${folder}/index.html`, '<!doctype html><title>Page</title>');
  write('games/package.json', '{}');
  write('app/package.json', '{}');
  write('app/dist/web/service.json', JSON.stringify(settings));
  for (const folder of ['games/one', 'games/two', 'builds/dist', 'app/dist/web']) {
    assert.equal((await cli(['publish', folder])).code, 0);
    assert.equal(JSON.parse(read(`${folder}/service.json`)).space, 'a-game');
  }
  assert.ok(!existsSync(at('games/service.json')) && !existsSync(at('app/service.json')));
});

test('a space that cannot be written down is named by what is printed', async () => {
  // A folder in the place of the file: nobody can write it, not even root.
  whileCreating(() => mkdirSync(at('game/service.json'), { recursive: true }));
  const { code, stdout, stderr } = await cli(['publish', 'game']);
  assert.equal(code, 0, stderr);
  assert.match(
    stderr,
    /could not be written to game\/service\.json \(.*\)\. Publish with --space a-game from now on/u,
  );
  assert.match(stdout, /^To make it live: spaceport publish game --space a-game --live$/mu);
  assert.deepEqual(readdirSync(at('game')).sort(), ['.spaceport', 'a.js', 'index.html', 'service.json']);
});

test('two first publishes at once: the space that is written down stays, and the other is named', async () => {
  whileCreating(() => write('game/service.json', JSON.stringify({ ...settings, space: 'first' })));
  const { stdout, stderr } = await cli(['publish', 'game']);
  assert.match(
    stderr,
    /has just made "first", and game\/service\.json names that: the next publish goes there\. If a-game is one too many: spaceport delete --space a-game$/mu,
  );
  assert.doesNotMatch(stderr, /could not be written|makes another space/u);
  assert.equal(JSON.parse(read('game/service.json')).space, 'first');
  assert.match(stdout, /publish game --space a-game --live$/mu);
});

test('a .spaceport that cannot be written keeps nobody from publishing, and says nothing wrong', async () => {
  for (const publish of [
    ['publish', 'game'],
    ['init', 'game'],
  ]) {
    write('game/.spaceport', 'no folder');
    const { code, stderr } = await cli(publish);
    assert.equal(code, 0, stderr);
    assert.doesNotMatch(stderr, /could not be written/u);
    const { $schema, title } = JSON.parse(read('game/service.json'));
    assert.deepEqual([$schema, title], [undefined, 'Drift & Dive']);
    rmSync(at('game/service.json'));
  }
});

test('a spent claim that cannot be deleted is no reason to say that the space was not written', async () => {
  const claim = {
    slug: 'a-game',
    pageUrl: `${fake.service.baseUrl}/s/a-game`,
    claimToken: fake.service.claim,
  };
  const pages = [{ ...claim, server: fake.service.baseUrl, expiresAt: '2099-01-01T00:00:00.000Z' }];
  write('game/.spaceport/claim.json', JSON.stringify({ pages }));
  // Whatever is there then, nobody can delete it as a file.
  whileCreating(() => {
    rmSync(at('game/.spaceport/claim.json'));
    write('game/.spaceport/claim.json/held', '');
  });
  const { code, stderr } = await cli(['publish', 'game']);
  assert.equal(code, 0, stderr);
  assert.match(stderr, /The page is the space "a-game" of your account\. game\/service\.json says so now/u);
  assert.equal(JSON.parse(read('game/service.json')).space, 'a-game');
});

test('two first publishes without an account at once: the claim that is stored stays', async () => {
  const other = {
    server: fake.service.baseUrl,
    slug: 'other',
    pageUrl: `${fake.service.baseUrl}/s/other`,
    expiresAt: '2099-01-01T00:00:00.000Z',
    claimToken: 'sp_claim_other',
  };
  whileCreating(() => write('game/.spaceport/claim.json', JSON.stringify({ pages: [other] })));
  const { code, stdout, stderr } = await cli(['publish', 'game', '--anonymous']);
  assert.equal(code, 0, stderr);
  assert.match(stderr, /has just made http.*\/s\/other\)\. Keep its claim link yourself: http/u);
  assert.match(stdout, /^ {2}Claim {4}http.*#sp_claim_test$/mu);
  assert.equal(JSON.parse(read('game/.spaceport/claim.json')).pages[0].slug, 'other');
});
