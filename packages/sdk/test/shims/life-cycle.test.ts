import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PageEvents } from '@spaceport/contract/sdk-protocol';
import { createCrazyGames } from '../../src/shims/crazygames/crazygames.ts';
import { createPlayables } from '../../src/shims/playables/playables.ts';
import { createPoki } from '../../src/shims/poki/poki.ts';
import type { ShimHost } from '../../src/shims/shim-host.ts';
import { app, framedModule, Refusal } from '../support/fake-page.ts';

const ana = { id: 'p1', handle: 'ana', guest: false };

/**
 * Opens an SDK in a frame. `heard` returns the calls that its page got, in order. `tell` sends an event of
 * the page.
 */
async function opened<Sdk>(make: (host: ShimHost) => Sdk, answer: (method: string) => unknown = () => null) {
  const page = framedModule(answer);
  const port = page.answer();
  await page.module.ready();
  const sdk = make({ spaceport: page.module, served: { app, board: 'high' }, frame: page.window.frame });
  /** Waits for an answer. A port keeps the order of messages, so all earlier ones have arrived by then. */
  const settled = () => page.module.achievements.list().then(() => {});
  return {
    sdk,
    settled,
    async heard(): Promise<unknown[]> {
      await settled();
      return page.heard
        .filter(({ m }) => !['ready', 'achievements.list', 'begun'].includes(m))
        .map(({ m, a }) => [m, ...a]);
    },
    async tell<Name extends keyof PageEvents>(ev: Name, d: PageEvents[Name]): Promise<void> {
      port.postMessage({ ev, d });
      await settled();
    },
    [Symbol.dispose]: () => page[Symbol.dispose](),
  };
}

describe('the life of a game', () => {
  test('for CrazyGames is reported to the page, which can mute it', async () => {
    using game = await opened(createCrazyGames);
    const { game: module, user } = game.sdk;
    module.loadingStart();
    module.loadingStop();
    module.gameplayStart();
    module.gameplayStop();
    module.happytime();
    user.addScore(12);
    assert.deepEqual(await game.heard(), [
      ['loading', 0],
      ['loading', 1],
      ['playing', true],
      ['playing', false],
      ['celebrate'],
      ['scores.submit', 'high', 12],
    ]);
    const changes: unknown[] = [];
    const listener = (settings: unknown) => changes.push(settings);
    module.addSettingsChangeListener(listener);
    module.addSettingsChangeListener(listener);
    await game.tell('mute', true);
    module.removeSettingsChangeListener(listener);
    await game.tell('mute', false);
    assert.deepEqual(changes, [{ disableChat: false, muteAudio: true }]);
    assert.equal(module.settings.muteAudio, false);
  });

  test('for Poki is reported to the page', async () => {
    using game = await opened(createPoki);
    game.sdk.gameLoadingFinished();
    game.sdk.gameplayStart();
    game.sdk.gameplayStop();
    game.sdk.happyTime();
    assert.deepEqual(await game.heard(), [
      ['loading', 1],
      ['playing', true],
      ['playing', false],
      ['celebrate'],
    ]);
  });

  test('for Playables is reported to the page, which can mute, pause and resume it', async () => {
    using game = await opened(createPlayables);
    const { system, game: module, engagement } = game.sdk;
    module.firstFrameReady();
    module.gameReady();
    await engagement.sendScore({ value: 3 });
    assert.deepEqual(await game.heard(), [
      ['loading', 0.9],
      ['loading', 1],
      ['scores.submit', 'high', 3],
    ]);
    const events: unknown[] = [];
    system.onAudioEnabledChange((isOn) => events.push(isOn));
    const stop = system.onPause(() => events.push('pause'));
    system.onResume(() => events.push('resume'));
    await game.tell('mute', true);
    await game.tell('pause', null);
    await game.tell('resume', null);
    stop();
    await game.tell('pause', null);
    assert.deepEqual(events, [false, 'pause', 'resume']);
    assert.equal(system.isAudioEnabled(), false);
  });

  test('drops scores when the space has no board for them', async () => {
    const page = framedModule();
    page.answer();
    const host = { spaceport: page.module, served: { app, board: null }, frame: page.window.frame };
    await createPlayables(host).engagement.sendScore({ value: 3 });
    createCrazyGames(host).user.addScore(3);
    await page.module.achievements.list();
    assert.ok(!page.heard.some(({ m }) => m === 'scores.submit'));
    page[Symbol.dispose]();
  });
});

describe('signing in to a CrazyGames game', () => {
  test('asks the page once at a time, and returns its user', async () => {
    const asked = Promise.withResolvers<unknown>();
    using game = await opened(createCrazyGames, (method) =>
      method === 'player.signIn' ? asked.promise : null,
    );
    const { user } = game.sdk;
    const users: unknown[] = [];
    const listener = (found: unknown) => users.push(found);
    user.addAuthListener(listener);
    const signingIn = user.showAuthPrompt();
    await assert.rejects(user.showAuthPrompt(), { code: 'showAuthPromptInProgress' });
    asked.resolve(ana);
    assert.equal((await signingIn)?.username, 'ana');
    await game.tell('player', ana);
    user.removeAuthListener(listener);
    await game.tell('player', ana);
    assert.deepEqual(
      users.map((found) => (found as { username: string }).username),
      ['ana'],
    );
    await assert.rejects(user.showAuthPrompt(), { code: 'userAlreadySignedIn' });
    assert.equal((await user.getUser())?.username, 'ana');
  });

  test('fails with its own codes when the player cancels it or it fails', async () => {
    for (const [code, expected] of [
      ['cancelled', 'userCancelled'],
      ['offline', 'unexpectedError'],
    ] as const) {
      using game = await opened(createCrazyGames, (method) => {
        if (method === 'player.signIn') throw new Refusal({ code, message: 'no' });
        return null;
      });
      await assert.rejects(game.sdk.user.showAuthPrompt(), { code: expected });
    }
  });
});
