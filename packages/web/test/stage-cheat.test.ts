import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Answer } from '@spaceport/contract/sdk-protocol';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../../server/test/browser.ts';
import { accountPlayer } from '../../server/test/played.ts';
import { type Persona, startService, type TestService } from '../../server/test/service.ts';
import { type SignedUp, signUp } from '../../server/test/visitor.ts';
import { playedGame, publishStage } from './stage-game.ts';
import { stagePages } from './stage-pages.ts';

/** The functions that the game has in its window. */
declare const game: { ask(method: string, ...given: unknown[]): Promise<Answer> };

const boards = [
  { key: 'points', title: 'Points' },
  { key: 'trusted', title: 'Trusted', trust: 'server' as const },
  { key: 'long', title: 'Long', min_seconds: 30 },
];

/** Attacks by a space's page for its own advantage. docs/security.md lists the test of each rule. */
describe('a game that cheats for its player', () => {
  let service: TestService;
  let browser: Browser;
  let creator: Persona;
  let slug: string;
  let other: string;
  let player: SignedUp;
  before(async () => {
    [service, browser] = await Promise.all([
      startService({ environment: { PUBLISHES_PER_HOUR: '100' } }),
      openBrowser(),
    ]);
    creator = await service.creator('mira');
    slug = await publishStage(service, creator, { boards });
    other = await publishStage(service, creator, { boards });
    player = await signUp(service, { handle: 'cheat' });
  });
  after(async () => {
    await browser?.close();
    await service?.close();
  });

  const { pageOf, boardOf, using } = stagePages(() => ({ service, browser }));
  const refused = { mayComplain: /status of (403|404|409|422|429)/u };

  it('posts for no other player or space, and only by the rules of a board', async () => {
    const victim = await accountPlayer(service, 'victim');
    const session = await victim.session(slug);
    const foreign = (await victim.run(session, 'points')).run;
    await using(
      pageOf(slug),
      async (page) => {
        const { get, code } = await playedGame(page);
        assert.equal(await code('scores.submit', 'trusted', 1), 'invalid');
        assert.equal(await code('run', 'trusted'), 'invalid');
        assert.equal(await code('scores.submit', 'long', 1), 'invalid', 'without a run');
        const early = await get<{ run: string }>('run', 'long');
        assert.equal(await code('run.submit', early.run, 1, {}), 'invalid', 'sooner than it may');
        assert.equal(await code('run.submit', foreign, 99, {}), 'closed', 'another player’s');
        const { run } = await get<{ run: string }>('run', 'points');
        // Claims in a post about its player, space or version are ignored.
        const claims = { meta: null, handle: 'victim', player: 'victim', space: other, session, version: 9 };
        assert.equal((await get('run.submit', run, 7, claims)).best, 7);
        assert.equal(await code('run.submit', run, 8, {}), 'closed', 'used');
        const { run: old } = await get<{ run: string }>('run', 'points');
        service.clock.advance({ days: 1, minutes: 1 });
        assert.equal(await code('run.submit', old, 9, {}), 'closed', 'a day old');
      },
      { as: player, ...refused },
    );
    assert.deepEqual(
      (await boardOf(slug)).map(({ handle, score }) => [handle, score]),
      [['cheat', 7]],
    );
    assert.deepEqual(await boardOf(other), []);
  });

  it('reads the saves of its player alone, and gets a token for its own space alone', async () => {
    const own = await publishStage(service, creator, { boards });
    const victim = await accountPlayer(service);
    const put = await victim.call('PUT', `/api/player/saves/slot?space=${own}`, { data: 'a secret' });
    assert.equal(put.status, 200, put.text());
    await player.call('PUT', `/api/player/saves/slot?space=${other}`, { data: 'of another space' });
    await using(
      pageOf(own),
      async (page) => {
        const { get, ask } = await playedGame(page);
        assert.equal(await get('saves.get', 'slot', { player: 'victim', space: other }), null);
        for (const slot of [`slot?space=${other}`, `../saves/slot`, `slot&space=${other}`, 'slot%3f'])
          assert.ok('err' in (await ask('saves.get', slot)), slot);
        assert.deepEqual(await get('saves.list', { space: other }), []);
        const token = await get<string>('player.token', { space: other }, other);
        const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
        assert.ok(JSON.stringify(claims).includes(own), JSON.stringify(claims));
        assert.ok(!JSON.stringify(claims).includes(other));
      },
      { as: player, ...refused },
    );
  });

  it('cannot post after its player is banned, nor more often than the limit', async () => {
    const own = await publishStage(service, creator, { boards });
    await using(
      pageOf(own),
      async (page) => {
        const { get, frame, code } = await playedGame(page);
        const codes = await frame.evaluate(() =>
          Promise.all(
            Array.from({ length: 20 }, async (_, score) => {
              const answer = await game.ask('scores.submit', 'points', score);
              return 'err' in answer ? answer.err.code : 'taken';
            }),
          ),
        );
        assert.ok(codes.includes('taken') && codes.includes('rate_limited'), codes.join(' '));
        service.clock.advance({ minutes: 2 });
        await get('scores.submit', 'points', 30);
        const ban = await creator.call('POST', `/api/spaces/${own}/bans`, { handle: 'cheat' });
        assert.ok(ban.status < 300, ban.text());
        assert.equal(await code('scores.submit', 'points', 31), 'banned');
        assert.equal(await code('stats.add', 'jumps', 1), 'banned');
        assert.equal(await code('achievements.unlock', 'first'), 'banned');
      },
      { as: player, ...refused },
    );
    assert.deepEqual(await boardOf(own), []);
  });

  it('draws only in its own box', () =>
    using(pageOf(slug), async (page) => {
      const { frame } = await playedGame(page);
      const boxes = () =>
        page.evaluate(() =>
          [...document.querySelectorAll('header, .stage, .stage-bar, iframe')].map((element) => {
            const { x, y, width, height } = element.getBoundingClientRect();
            return [x, y, width, height].map(Math.round).join(' ');
          }),
        );
      const before = await boxes();
      await frame.evaluate(() => {
        const cover = document.createElement('div');
        cover.style.cssText = 'position:fixed;inset:-9999px;z-index:2147483647;background:red';
        cover.popover = 'manual';
        document.body.append(cover);
        cover.showPopover();
        window.resizeTo(4_000, 4_000);
        window.moveTo(-500, -500);
        parent.postMessage({ spaceport: 1, resize: { width: 4_000, height: 4_000 }, toast: 'Hi' }, '*');
      });
      const box = await page.locator('iframe').boundingBox();
      assert.ok(box);
      const under = await page.evaluate(({ x, y, width, height }) => {
        const at = (left: number, top: number) => document.elementFromPoint(left, top)?.tagName === 'IFRAME';
        return [
          at(x + width / 2, y + height / 2),
          at(x + width / 2, y - 4),
          at(x - 4, y + height / 2),
          at(x + width / 2, y + height + 4),
        ];
      }, box);
      assert.deepEqual(under, [true, false, false, false]);
      assert.deepEqual(await boxes(), before);
      assert.equal(await page.locator('.toast').count(), 0);
    }));
});
