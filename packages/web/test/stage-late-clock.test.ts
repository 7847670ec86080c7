import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { SaveConflict } from '@spaceport/contract/sdk-protocol';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { Persona, TestService } from '../../server/test/service.ts';
import { type SignedUp, signUp } from '../../server/test/visitor.ts';
import { playedGame, publishStage } from './stage-game.ts';
import { openStage, stagePages } from './stage-pages.ts';
import { openContext } from './walk.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

declare global {
  /** How much later it is for a page whose clock is late. */
  var laterMs: number | undefined;
}

describe('a save of a device whose clock is wrong', () => {
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

  const { pageOf, open } = stagePages(() => ({ service, browser }));
  const saved = async (who: SignedUp, slug: string) =>
    (await who.get(`/api/player/saves?space=${slug}&slot=slot`)).json().saves[0].data;
  /** Writes the slot as another device of the player does. */
  async function writeElsewhere(who: SignedUp, slug: string, data: string, base: number): Promise<void> {
    const path = `/api/player/saves/slot?space=${slug}`;
    const answer = await who.call('PUT', path, { data, device: 'Other' }, { 'if-match': `"${base}"` });
    assert.equal(answer.status, 200, answer.text());
  }
  async function using(
    { as, slug, aheadMs }: { as: SignedUp; slug: string; aheadMs: number },
    work: (page: Page, context: BrowserContext) => Promise<void>,
  ): Promise<void> {
    const context = await openContext(browser, undefined, { url: pageOf(slug), as });
    await context.addInitScript((ms) => {
      const now = Date.now;
      Date.now = () => now() + ms + (globalThis.laterMs ?? 0);
    }, aheadMs);
    try {
      await work(await open(context, pageOf(slug)), context);
    } finally {
      await context.close();
    }
  }

  it('is the newer one where another device has written before', async () => {
    const slug = await publishStage(service, creator);
    const as = await signUp(service, { handle: 'is_late' });
    await using({ as, slug, aheadMs: -hourMs }, async (page) => {
      const game = await playedGame(page);
      const { version } = await game.get<{ version: number }>('saves.set', 'slot', 'first', 0);
      await writeElsewhere(as, slug, 'theirs', version);
      const answer = await game.ask('saves.set', 'slot', 'mine', version);
      assert.ok('err' in answer && answer.err.code === 'conflict');
      const { mine, theirs } = answer.err.detail as SaveConflict;
      assert.ok(theirs && mine.at >= theirs.at, `${mine.at} ${theirs?.at}`);
    });
  });

  for (const [what, aheadMs, stands] of [
    ['late', -hourMs, 'mine'],
    ['ahead', hourMs, 'theirs'],
  ] as const)
    it(`that is ${what}, written without a connection, is sent only if it is the newer one`, async () => {
      const slug = await publishStage(service, creator);
      const as = await signUp(service, { handle: `clock_${what}` });
      await using({ as, slug, aheadMs }, async (page, context) => {
        const game = await playedGame(page);
        const { version } = await game.get<{ version: number }>('saves.set', 'slot', 'first', 0);
        if (stands === 'mine') {
          await writeElsewhere(as, slug, 'theirs', version);
          await page.evaluate((ms) => Object.assign(globalThis, { laterMs: ms }), minuteMs);
        }
        await context.setOffline(true);
        await game.get('saves.set', 'slot', 'mine', version);
        if (stands === 'theirs') {
          service.clock.advance({ minutes: 1 });
          await writeElsewhere(as, slug, 'theirs', version);
        }
        await context.setOffline(false);
        // This call waits until what waited has been sent.
        await game.get('stats.add', 'jumps', 1);
        assert.equal(await saved(as, slug), stands);
      });
    });
});
