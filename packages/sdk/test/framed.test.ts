import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { browserLocale } from '@spaceport/contract/browser-locale';
import { frameNamePrefix, sdkLimits } from '@spaceport/contract/sdk-protocol';
import { start } from '../src/start.ts';
import { app, framedModule, loadSecond, Refusal, served, welcome } from './support/fake-page.ts';
import { fakeWindow } from './support/fake-window.ts';

const code = (expected: string) => (error: unknown) =>
  error instanceof Error && (error as { code?: string }).code === expected;

test('the hello is sent to the origin of the service only, with the version and the load', () => {
  using page = framedModule();
  const [first] = page.window.posted;
  assert.equal(first?.to, app);
  const hello = page.hellos()[0];
  assert.deepEqual(hello?.hello.versions, [1]);
  assert.equal(hello?.hello.version, 7);
  assert.ok(hello.hello.load.length > 8);
});

test('the hello is repeated with the same load until the page answers, and then no more', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  using page = framedModule();
  for (let times = 0; times < 3; times++) t.mock.timers.runAll();
  const asked = page.hellos();
  assert.ok(asked.length > 2);
  assert.equal(new Set(asked.map(({ hello }) => hello.load)).size, 1);
  page.answer();
  t.mock.timers.runAll();
  assert.equal(page.hellos().length, asked.length);
});

test('a page that begins late is asked again soon', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  using page = framedModule();
  t.mock.timers.tick(1_000);
  const asked = page.hellos().length;
  t.mock.timers.tick(200);
  assert.ok(page.hellos().length > asked);
});

test('facts in the frame’s name are known before the page answers, and the space never sees that name', () => {
  const name = `${frameNamePrefix}${JSON.stringify({
    env: 'sandbox',
    player: { id: 'p1', handle: 'ana', guest: false },
    locale: 'fr',
    muted: true,
  })}`;
  using page = framedModule(() => null, { name });
  assert.equal(page.window.frame.name, '');
  assert.deepEqual(page.module.player.get(), { id: 'p1', handle: 'ana', guest: false });
  assert.deepEqual([page.module.env, page.module.locale, page.module.muted], ['sandbox', 'fr', true]);
  page.window.dispatch('pagehide');
  assert.equal(page.window.frame.name, name);
});

test('a frame name from the server gives the player, and the browser gives the other values', () => {
  const player = { id: '', handle: 'ana', guest: false };
  using page = framedModule(() => null, {
    name: `${frameNamePrefix}${JSON.stringify({ env: 'live', player })}`,
  });
  assert.deepEqual(page.module.player.get(), player);
  assert.deepEqual([page.module.locale, page.module.muted], [browserLocale(navigator), false]);
});

test('a frame name that is not ours does not change, even when the page is left', () => {
  using page = framedModule(() => null, { name: 'minimap' });
  page.window.dispatch('pagehide');
  assert.equal(page.window.frame.name, 'minimap');
  assert.equal(page.module.player.get().guest, true);
});

test('a broken frame name of ours is ignored', () => {
  using page = framedModule(() => null, { name: `${frameNamePrefix}{` });
  assert.equal(page.module.player.get().guest, true);
});

test('a welcome is accepted only from the surrounding page and its exact origin, and then heard by nobody else', async () => {
  using page = framedModule();
  let heard = 0;
  page.window.frame.addEventListener('message', () => heard++);
  const { port1, port2 } = new MessageChannel();
  const forged = { spaceport: 1, welcome: { ...welcome, player: { id: 'x', handle: 'x', guest: false } } };
  page.window.post(forged, 'https://evil.example', [port2]);
  page.window.post(forged, 'null', [port2]);
  page.window.post(forged, app, [port2], {});
  page.window.post(forged, app, []);
  page.window.post({ spaceport: 2, welcome: forged.welcome }, app, [port2]);
  page.window.post(null, app, [port2]);
  assert.equal(page.module.player.get().handle, null);
  assert.equal(heard, 6);
  page.answer();
  await page.module.ready();
  assert.equal(page.module.player.get().id, 'guest-1');
  assert.equal(heard, 6);
  port1.close();
});

test('calls are sent with their arguments in order, including those from before the port', async () => {
  using page = framedModule((method, args) =>
    method === 'run' ? { run: 'r1', seed: 's1' } : method === 'stats.add' ? args[1] : [],
  );
  const early = page.module.stats.add('moths');
  page.answer();
  assert.equal(await early, 1);
  const run = await page.module.run('high');
  assert.equal(run.seed, 's1');
  await run.submit(12, { meta: { level: 3 }, replay: new Uint8Array([1, 2]) });
  await page.module.scores.top('high');
  assert.deepEqual(
    page.heard.map(({ m, a }) => [m, ...a]),
    [
      ['stats.add', 'moths', 1],
      ['run', 'high'],
      ['run.submit', 'r1', 12, { meta: { level: 3 }, replay: new Uint8Array([1, 2]) }],
      ['scores.top', 'high', {}],
    ],
  );
});

test('a refusal is thrown as an error with its code and details', async () => {
  using page = framedModule(() => {
    throw new Refusal({ code: 'rate_limited', message: 'slow down', retryAfter: 9 });
  });
  page.answer();
  await assert.rejects(page.module.stats.add('moths'), {
    code: 'rate_limited',
    message: 'slow down',
    retryAfter: 9,
  });
});

test('calls that are too large or too many are refused without being sent', async () => {
  using page = framedModule(() => 1);
  page.answer();
  await assert.rejects(page.module.saves.set('a', 'x'.repeat(300_000)), code('too_large'));
  const calls = Array.from({ length: 40 }, () => page.module.stats.add('moths'));
  const results = await Promise.allSettled(calls);
  assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 30);
  for (const result of results)
    if (result.status === 'rejected') assert.ok(code('rate_limited')(result.reason));
  assert.equal(page.heard.length, 30);
});

test('notices over the limit are sent when the rate allows, the last of each name, and before later calls', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const now = t.mock.method(performance, 'now', () => 0);
  using page = framedModule(() => 1);
  page.answer();
  const { module } = page;
  module.loading(0.1);
  await Promise.all(Array.from({ length: sdkLimits.messagesPerSecond - 1 }, () => module.stats.add('moths')));
  const posted = t.mock.method(MessagePort.prototype, 'postMessage').mock;
  const sent = () => posted.calls.map(({ arguments: [{ m, a }] }) => [m, ...a]);
  module.rooms.lobby(true);
  module.loading(0.5);
  module.rooms.lobby(false);
  module.loading(1);
  t.mock.timers.tick(500);
  assert.deepEqual(sent(), []);
  now.mock.mockImplementation(() => 1_000);
  t.mock.timers.tick(500);
  assert.deepEqual(sent(), [
    ['lobby', false],
    ['loading', 1],
  ]);
  t.mock.timers.tick(5_000);
  assert.equal(sent().length, 2);

  void Array.from({ length: sdkLimits.messagesPerSecond - 2 }, () => module.stats.add('moths'));
  posted.resetCalls();
  module.loading(0.2);
  now.mock.mockImplementation(() => 2_000);
  void module.stats.add('moths');
  assert.deepEqual(sent(), [
    ['loading', 0.2],
    ['stats.add', 'moths', 1],
  ]);
});

test('values that cannot be sent are refused as invalid', async () => {
  using page = framedModule(() => 1);
  page.answer();
  await assert.rejects(page.module.saves.set('a', undefined as never), code('invalid'));
  await assert.rejects(page.module.stats.add((() => {}) as never), code('invalid'));
});

test('a call without an answer times out; signing in never does', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  using page = framedModule();
  const lost = page.module.stats.add('moths');
  let isOver = false;
  const settle = () => {
    isOver = true;
  };
  void page.module.player.signIn().then(settle, settle);
  t.mock.timers.tick(30_000);
  await assert.rejects(lost, code('timeout'));
  t.mock.timers.tick(600_000);
  await Promise.resolve();
  assert.equal(isOver, false);
});

test('ready resolves after at most two seconds and never rejects', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  using page = framedModule();
  const ready = page.module.ready();
  t.mock.timers.tick(2_000);
  await ready;
});

test('events reach listeners and change the module’s values, until a listener is removed', async () => {
  using page = framedModule();
  const seen: unknown[] = [];
  const stop = page.module.on('mute', (muted) => seen.push(muted));
  const heard = new Promise((resolve) => page.module.on('update', resolve));
  const port = page.answer();
  port.postMessage({ ev: 'mute', d: true });
  port.postMessage({ ev: 'player', d: { id: 'p2', handle: 'ben', guest: false } });
  port.postMessage({ ev: 'update', d: { version: 8 } });
  assert.deepEqual(await heard, { version: 8 });
  stop();
  assert.deepEqual(seen, [true]);
  assert.equal(page.module.muted, true);
  assert.equal(page.module.player.get().handle, 'ben');
});

test('reports that a game repeats in every frame are sent only when they change', async () => {
  using page = framedModule(() => 1);
  page.answer();
  for (let step = 0; step <= 1_000; step++) page.module.loading(step / 1_000);
  page.module.playing(true);
  page.module.playing(true);
  await page.module.stats.add('moths');
  const loading = page.heard.filter(({ m }) => (m as string) === 'loading');
  assert.equal(loading.length, 21);
  assert.deepEqual(loading.at(-1)?.a, [1]);
  assert.equal(page.heard.filter(({ m }) => (m as string) === 'playing').length, 1);
});

test('errors are counted, and reported in one batch', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  using page = framedModule();
  const sent = mock.method(MessagePort.prototype, 'postMessage');
  page.answer();
  for (let times = 0; times < 50; times++)
    page.window.dispatch('error', { error: new TypeError('no moths') });
  for (let kind = 0; kind < 30; kind++) page.module.error(`kind ${kind}`);
  page.window.dispatch('unhandledrejection', { reason: 'later' });
  page.window.dispatch('error');
  t.mock.timers.tick(1_000);
  const batches = sent.mock.calls.map(({ arguments: [message] }) => message).filter(({ m }) => m === 'error');
  sent.mock.restore();
  assert.equal(batches.length, 1);
  const [reports] = batches[0].a;
  assert.equal(reports.length, 10);
  assert.deepEqual([reports[0].kind, reports[0].count], ['uncaught', 50]);
  assert.match(reports[0].stack, /no moths/u);
});

test('framed by another site, the module does not contact it, and the player is a separate guest', async () => {
  using page = framedModule(() => null, { around: 'https://elsewhere.example' });
  assert.equal(page.window.posted.length, 0);
  assert.equal((await page.module.saves.set('a', 1)).version, 1);
});

test('outside a content host, a module without an answer works alone', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { frame, posted, post } = fakeWindow({ around: app });
  const module = start({ ...served, hosted: false }, frame, loadSecond);
  const lost = module.stats.add('moths');
  t.mock.timers.tick(10_000);
  await assert.rejects(lost);
  const asked = posted.length;
  assert.equal((await module.saves.set('a', 1)).version, 1);
  t.mock.timers.tick(60_000);
  assert.equal(posted.length, asked);
  // An answer that comes after all finds nobody.
  const players: unknown[] = [];
  module.on('player', (player) => players.push(player));
  const { port1, port2 } = new MessageChannel();
  post({ spaceport: 1, welcome }, app, [port2]);
  port1.close();
  assert.deepEqual(players, []);
});
