import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fail, ok } from '../../client/test/fake-answers.ts';
import { fakeCli } from '../test/fake-cli.ts';
import { runCli } from '../test/run-cli.ts';
import { exitCodes } from './exit-codes.ts';
import { quoted } from './quoted.ts';

const fake = fakeCli();
const { at, useSettings, cli, json } = fake;

test('a printed command names the service and the space that the flags have named', async () => {
  useSettings();
  await cli(['publish', 'game', '--live']);
  const server = fake.service.baseUrl;
  // Neither the environment nor the folder says them.
  const elsewhere = (args: string[]) =>
    runCli([...args, '--server', `${server}/`], {
      cwd: at('.'),
      env: { SPACEPORT_TOKEN: fake.service.token },
    });
  const absent = await elsewhere(['status', '9', '--space', 'a-game']);
  assert.match(absent.stderr, new RegExp(`: spaceport versions --space a-game --server ${server}\n$`, 'u'));
  const preview = await elsewhere(['publish', 'game']);
  const again = `publish game --live --server ${server}`;
  assert.match(preview.stdout, new RegExp(`^To make it live: spaceport ${again}$`, 'mu'));
  fake.service.intercept = () => fail(401, 'unauthorized', 'No.');
  const { stderr } = await runCli(['whoami', '--server', server], { cwd: at('.') });
  assert.match(stderr, new RegExp(`spaceport login --server ${server} \\(or set`, 'u'));
});

test('a service on which an account is needed is answered with the command that signs in', async () => {
  useSettings();
  fake.service.intercept = (_method, path) =>
    path.endsWith('/hosting/versions')
      ? fail(403, 'sign_in_required', 'Publishing on this service needs an account.')
      : null;
  const { code, document } = await json(['publish', 'game', '--anonymous']);
  assert.deepEqual([code, document.error.code], [exitCodes.notAllowed, 'sign_in_required']);
  assert.equal(document.error.next, 'Sign in (spaceport login), and publish again without --anonymous.');
});

test('a printed command names nothing that it finds by itself', async () => {
  useSettings();
  await cli(['publish', 'game', '--live']);
  const { stderr } = await cli(['status', '9'], { cwd: at('game') });
  assert.match(stderr, /: spaceport versions\n$/u);
});

test('scores clear says how scores are named', async () => {
  const { document } = await json(['scores', 'clear', '--space', 'a-game']);
  assert.match(document.error.next, /: spaceport scores clear --of VERSION --space a-game; or by /u);
  const wrong = await json(['scores', 'clear', '--of', 'x', '--space', 'a-game']);
  assert.match(wrong.document.error.next, /: spaceport versions --space a-game$/u);
});

test('a word of a command is quoted for the shells of its system', () => {
  assert.equal(quoted('dist/web', 'linux'), 'dist/web');
  assert.equal(quoted("my game's", 'darwin'), "'my game'\\''s'");
  assert.equal(quoted('.\\dist', 'linux'), "'.\\dist'");
  // cmd takes single quotes for a part of the name.
  assert.equal(quoted('.\\dist', 'win32'), '.\\dist');
  assert.equal(quoted("C:\\my game's", 'win32'), '"C:\\my game\'s"');
});

test('spaces lists those of every page', async () => {
  const space = (slug: string) => ({
    slug,
    title: 'A\nGame',
    state: 'listed',
    hosted: true,
    live_version: null,
    plays: 1234,
    service_url: `http://service.test/s/${slug}`,
  });
  const pages = [
    { spaces: [space('one')], next: 'cursor' },
    { spaces: [space('two')], next: null },
  ];
  fake.service.intercept = (method, path) =>
    method === 'GET' && path === '/api/spaces' ? ok(pages.shift()) : null;
  const { stdout } = await cli(['spaces']);
  assert.equal(
    stdout,
    [
      'Space  Title    State   Live version  Plays  Page',
      'one    A\\nGame  listed  nothing yet   1,234  http://service.test/s/one',
      'two    A\\nGame  listed  nothing yet   1,234  http://service.test/s/two',
      '',
    ].join('\n'),
  );
});
