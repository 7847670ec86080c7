import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { publishLive } from '../../server/test/files.ts';
import type { Persona, TestService } from '../../server/test/service.ts';
import { type SignedUp, signUp } from '../../server/test/visitor.ts';
import { kept, game as keptGame, open as openKept, playing, plays, until } from './kept-game.ts';
import { shownSpace } from './seed.ts';
import { type PlayedGame, playedGame, publishStage } from './stage-game.ts';
import { guestKeyOf, openStage, stagePages } from './stage-pages.ts';
import { openContext, takenOver } from './walk.ts';

describe('a game whose player changes', () => {
  let service: TestService;
  let browser: Browser;
  let creator: Persona;
  before(async () => {
    ({ service, browser, creator } = await openStage());
  });
  after(async () => {
    await browser?.close();
    await service?.close();
  });

  const { pageOf, boardOf, using, signIn, become } = stagePages(() => ({ service, browser }));
  const savedBy = async (who: SignedUp, slug: string, slot: string): Promise<unknown> =>
    (await who.get(`/api/player/saves?space=${slug}&slot=${slot}`)).json().saves[0]?.data;

  const playerHeard = async (game: PlayedGame) =>
    (await game.heard('player')) as { handle: string | null; guest: boolean };
  const twoPlayers = async (one: string, other: string) =>
    [await signUp(service, { handle: one }), await signUp(service, { handle: other })] as const;
  const mayComplain = /status of (?:401|409)|ERR_INTERNET_DISCONNECTED/u;

  it('keeps the account when the answer to the guest’s session comes after the sign-in', async () => {
    const slug = await publishStage(service, creator);
    const player = await signUp(service, { handle: 'signs_in_first' });
    const held = Promise.withResolvers<void>();
    await using(`${service.baseUrl}/`, async (page) => {
      let openings = 0;
      await page.route('**/api/player/sessions', async (route) => {
        const isFirst = openings === 0;
        openings += 1;
        const response = await route.fetch();
        if (isFirst) await held.promise;
        await route.fulfill({ response });
      });
      const first = page.waitForRequest('**/api/player/sessions');
      await page.goto(pageOf(slug));
      const game = await playedGame(page);
      const asked = game.get<{ handle: string }>('player.signIn');
      await page.getByRole('dialog').waitFor();
      await signIn(page, player);
      assert.equal((await asked).handle, 'signs_in_first');
      await game.forget();
      held.resolve();
      await (await (await first).response())?.finished();
      await game.get('saves.set', 'slot', 'the account’s', 0);
      assert.match(await game.get<string>('player.token'), /^[\w-]+\.[\w-]+\.[\w-]+$/u);
      assert.equal(await guestKeyOf(page), null);
      assert.equal(openings, 2);
    });
    assert.equal(await savedBy(player, slug, 'slot'), 'the account’s');
  });

  it('writes nothing of one account into another that has signed in in another tab', async () => {
    const slug = await publishStage(service, creator);
    const [anna, bert] = await twoPlayers('anna', 'bert');
    await using(
      pageOf(slug),
      async (page, context) => {
        const game = await playedGame(page);
        const { version } = await game.get('saves.set', 'slot', 'of anna', 0);
        await become(context, bert);
        assert.equal(await game.code('saves.set', 'slot', 'still of anna', version), 'closed');
        assert.equal((await playerHeard(game)).handle, 'bert');
        await page.getByRole('button', { name: '@bert' }).waitFor();
        assert.equal(await savedBy(bert, slug, 'slot'), undefined);
        await game.get('saves.set', 'slot', 'of bert', 0);

        await become(context, anna);
        assert.equal(await game.code('player.token'), 'closed');
        assert.match(await game.get<string>('player.token'), /^[\w-]+\.[\w-]+\.[\w-]+$/u);
        await become(context, bert);
        assert.equal(await game.code('saves.get', 'slot'), 'closed');
        assert.equal((await game.get<{ data: unknown }>('saves.get', 'slot')).data, 'of bert');
        await become(context, anna);
        assert.equal(await game.code('stats.add', 'jumps', 3), 'closed');
        assert.equal(await game.get('stats.add', 'jumps', 1), 1);
      },
      { as: anna, mayComplain },
    );
    assert.equal(await savedBy(anna, slug, 'slot'), 'of anna');
    assert.equal(await savedBy(bert, slug, 'slot'), 'of bert');
  });

  it('writes nothing of an account that has signed out into a new guest', async () => {
    const slug = await publishStage(service, creator);
    const player = await signUp(service, { handle: 'signs_out' });
    await using(
      pageOf(slug),
      async (page, context) => {
        const game = await playedGame(page);
        await game.get('stats.add', 'jumps', 1);
        await become(context, null);
        assert.equal(await game.code('saves.set', 'slot', 'of the account', 0), 'closed');
        assert.equal((await playerHeard(game)).guest, true);
        assert.equal(await game.get('saves.get', 'slot'), null);
        await game.get('saves.set', 'slot', 'of the guest', 0);
        // The player is told, who may not know that the session has ended, and can go on over the game.
        const told = page.locator('.toast').filter({ hasText: 'You are signed out' });
        await told.waitFor();
        // A tab that signs in takes the guest's key away.
        await become(context, player);
        const other = await context.newPage();
        await other.goto(`${service.baseUrl}/`);
        await other.evaluate(() => localStorage.removeItem('spaceport-guest'));
        await told.waitFor({ state: 'detached' });
        await page.getByRole('button', { name: '@signs_out' }).waitFor();
        await become(context, null);
        await game.ask('stats.add', 'jumps', 1);
        await told.getByRole('button', { name: 'Sign in' }).click();
        await page.getByRole('dialog', { name: 'Sign in' }).waitFor();
        await page.keyboard.press('Escape');
      },
      { as: player, mayComplain },
    );
  });

  it('is told no more that nobody is signed in, once somebody is', async () => {
    const slug = await publishStage(service, creator);
    const player = await signUp(service, { handle: 'comes_back' });
    await using(
      pageOf(slug),
      async (page, context) => {
        const game = await playedGame(page);
        await become(context, null);
        await game.ask('stats.add', 'jumps', 1);
        const told = page.locator('.toast').filter({ hasText: 'You are signed out' });
        await told.waitFor();
        const asked = game.get<{ handle: string }>('player.signIn');
        await page.getByRole('dialog', { name: 'Sign in' }).waitFor();
        await signIn(page, player);
        assert.equal((await asked).handle, 'comes_back');
        await told.waitFor({ state: 'detached' });
      },
      { as: player, mayComplain },
    );
  });

  it('chooses a handle once, also if the page cannot be read again at first', async () => {
    const slug = await publishStage(service, creator);
    const player = await signUp(service);
    await using(
      pageOf(slug),
      async (page) => {
        const game = await playedGame(page);
        const asked = game.get<{ handle: string }>('player.signIn');
        const dialog = page.getByRole('dialog', { name: 'Choose your handle' });
        await dialog.getByLabel('Handle').fill('plays_on');
        let reads = 0;
        await page.route(pageOf(slug), (route) => {
          reads += 1;
          return reads === 1 ? route.abort() : route.continue();
        });
        const take = dialog.getByRole('button', { name: 'Take it and play on' });
        await take.click();
        await dialog.getByRole('alert').waitFor();
        await take.click();
        assert.equal((await asked).handle, 'plays_on');
      },
      { as: player, mayComplain: /status of 40[19]|ERR_FAILED/u },
    );
  });

  it('sees the neighbours of the account that plays, not of the one before', async () => {
    const slug = await publishStage(service, creator);
    const [anna, bert] = await twoPlayers('is_ranked', 'is_not');
    await using(
      pageOf(slug),
      async (page, context) => {
        const game = await playedGame(page);
        await game.get('scores.submit', 'points', 12);
        await page.getByRole('button', { name: 'Around me' }).click();
        await page.locator('.ranking').getByText('@is_ranked').waitFor();
        await become(context, bert);
        await game.ask('stats.add', 'jumps', 1);
        await page.getByText('You are not in this ranking yet.').waitFor();
      },
      { as: anna, mayComplain: /status of 40[149]/u },
    );
  });

  it('keeps what waits to be sent until its account is back', async () => {
    const slug = await publishStage(service, creator);
    const [anna, bert] = await twoPlayers('waits_offline', 'comes_between');
    await using(
      pageOf(slug),
      async (page, context) => {
        const game = await playedGame(page);
        const { run } = await game.get<{ run: string }>('run', 'points');
        await context.setOffline(true);
        assert.equal(await game.heard('online'), false);
        assert.equal((await game.get('run.submit', run, 777, {})).queued, true);
        assert.equal(await game.get('stats.add', 'jumps', 40), 40);
        await game.get('saves.set', 'slot', 'of anna', 0);
        await become(context, bert);
        await context.setOffline(false);
        assert.equal((await playerHeard(game)).handle, 'comes_between');
        assert.equal(await game.get('stats.add', 'jumps', 1), 1);
        assert.equal(await game.get('saves.get', 'slot'), null);

        await become(context, anna);
        await page.reload();
        await takenOver(page);
        const again = await playedGame(page);
        // This call waits until the queued writes have been sent.
        assert.equal(await again.get('stats.add', 'jumps', 1), 41);
        assert.equal((await again.get<{ data: unknown }>('saves.get', 'slot')).data, 'of anna');
      },
      { as: anna, mayComplain },
    );
    assert.deepEqual(
      (await boardOf(slug)).map(({ handle, score }) => [handle, score]),
      [['waits_offline', 777]],
    );
  });

  it('gives a guest’s calls to the account that has taken the guest over, and to no other', async () => {
    const slug = await publishStage(service, creator);
    const [anna, bert] = await twoPlayers('takes_over', 'comes_later');
    for (const signedIn of [anna, bert]) {
      const before = await savedBy(signedIn, slug, 'slot');
      await using(
        pageOf(slug),
        async (page, context) => {
          const game = await playedGame(page);
          await game.get('stats.add', 'jumps', 1);
          // As another tab does, of which this one has not heard.
          const guest_key = await guestKeyOf(page);
          assert.equal((await anna.call('POST', '/api/player/adopt', { guest_key })).status, 200);
          await become(context, signedIn);
          const code = await game.code('saves.set', 'slot', 'of the guest', 0);
          assert.equal(code, signedIn === anna ? undefined : 'closed');
          await playerHeard(game);
          assert.equal(await guestKeyOf(page), null);
        },
        { mayComplain },
      );
      const after = await savedBy(signedIn, slug, 'slot');
      assert.deepEqual([before, after], [undefined, signedIn === anna ? 'of the guest' : undefined]);
    }
  });

  it('restarts with the storage of the account that has signed in', async () => {
    const { space } = await publishLive(service, creator, keptGame, { fields: shownSpace });
    const url = pageOf(space.slug);
    const [anna, bert] = await twoPlayers('keeps_hers', 'keeps_his');
    const storageOf = async (who: SignedUp) => JSON.stringify(await savedBy(who, space.slug, '~storage'));
    const context = await openContext(browser, undefined, { url, as: bert });
    try {
      const first = await openKept(context, url);
      await plays(first.frame, 'bert-1');
      await until(async () => (await storageOf(bert))?.includes('bert-1'));
      await first.page.close();
      await become(context, anna);
      const { page, frame } = await openKept(context, url);
      await plays(frame, 'anna-1');
      await until(async () => (await storageOf(anna))?.includes('anna-1'));
      await become(context, bert);
      await plays(frame, 'anna-2');
      await kept(page, 'anna-2');
      await until(async () => (await playing(page)).begun === 'bert-1');
      await page.close();
      await become(context, anna);
      assert.equal((await openKept(context, url)).begun, 'anna-2');
      await until(async () => (await storageOf(anna))?.includes('anna-2'));
      assert.match(await storageOf(bert), /bert-1/u);
    } finally {
      await context.close();
    }
  });
});
