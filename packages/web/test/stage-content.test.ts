import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Made, MadePage } from '@spaceport/contract/sdk-protocol';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../../server/test/browser.ts';
import { type Persona, startService, type TestService } from '../../server/test/service.ts';
import { type SignedUp, signUp } from '../../server/test/visitor.ts';
import { type PlayedGame, playedGame, publishStage, publishStagePreview } from './stage-game.ts';
import { usePage } from './walk.ts';

describe('content of players, on the page of a space', () => {
  let service: TestService;
  let browser: Browser;
  let creator: Persona;
  let operator: Persona;
  let slug: string;
  let ada: SignedUp;
  before(async () => {
    [service, browser] = await Promise.all([startService(), openBrowser()]);
    operator = await service.creator('keeper', { operator: true });
    creator = await service.creator('mira');
    slug = await publishStage(service, creator);
    ada = await signUp(service, { handle: 'ada' });
  });
  after(async () => {
    await browser?.close();
    await service?.close();
  });

  const url = () => `${service.baseUrl}/s/${slug}`;
  const playing = (
    as: SignedUp | undefined,
    work: (game: PlayedGame, page: Page) => Promise<void>,
    at = url(),
  ) =>
    usePage(
      browser,
      { url: at, as, timeoutMs: 20_000, mayComplain: /status of (403|404|409|413|422)/u },
      async (page) => work(await playedGame(page), page),
    );
  const list = (game: PlayedGame, query = {}) => game.get<MadePage>('content.list', 'level', query);

  it('is published, listed, liked and removed by a player with an account', () =>
    playing(ada, async (game) => {
      const made = await game.get<Made>('content.publish', 'level', { rocks: [1] }, 'Two craters');
      assert.deepEqual([made.title, made.handle, made.yours], ['Two craters', 'ada', true]);
      assert.deepEqual((await list(game)).items, [made]);
      assert.deepEqual(await game.get('content.get', made.id), made);
      assert.deepEqual(await game.get('content.like', made.id, true), { liked: true, likes: 1 });
      assert.equal((await list(game, { by: 'liked', mine: true, limit: 1 })).items[0]?.liked, true);
      assert.deepEqual(await game.get('content.like', made.id, false), { liked: false, likes: 0 });
      const next = await game.get<Made>('content.publish', 'level', 2, '');
      const first = await list(game, { limit: 1 });
      assert.deepEqual((await list(game, { limit: 1, cursor: first.next })).next, null);
      assert.equal(await game.get('content.remove', next.id), null);
      assert.equal((await list(game)).items.length, 1);
      for (const [code, ...call] of [
        ['not_found', 'content.get', next.id],
        ['invalid', 'content.publish', 'level'],
        ['invalid', 'content.publish', 'Level', 1, ''],
        ['invalid', 'content.publish', 'level', 1, 7],
        ['invalid', 'content.list', 'level', { by: 'hated' }],
        ['invalid', 'content.list', 'level', { limit: 'x' }],
        ['too_large', 'content.publish', 'level', 'x'.repeat(70_000), ''],
      ] as const) {
        const [method, ...given] = call;
        assert.equal(await game.code(method, ...given), code, JSON.stringify(call).slice(0, 80));
      }
    }));

  it('can be read and reported by a guest, who is asked to sign in for more', () =>
    playing(undefined, async (game, page) => {
      const [item] = (await list(game)).items;
      assert.ok(item);
      assert.equal(item.yours, false);
      assert.equal(await game.code('content.publish', 'level', 1, ''), 'sign_in_required');
      assert.equal(await game.code('content.like', item.id, true), 'sign_in_required');
      assert.equal(await game.get('content.report', item.id), null);
      const dialog = page.getByRole('dialog', { name: 'Report Two craters' });
      await game.heard('pause');
      await dialog.getByLabel('What is wrong with it?').selectOption('hate');
      await dialog.getByRole('button', { name: 'Send' }).click();
      await dialog.waitFor({ state: 'detached' });
      const { reports } = (await operator.call('GET', '/api/operator/reports')).json();
      assert.deepEqual([reports[0].content.title, reports[0].reason], ['Two craters', 'hate']);
    }));

  it('stays in the preview that it was made in', async () => {
    const preview = await publishStagePreview(service, creator, { space: slug });
    await playing(
      ada,
      async (game) => {
        assert.deepEqual((await list(game)).items, []);
        await game.get<Made>('content.publish', 'level', 1, 'Only here');
        assert.equal((await list(game)).items.length, 1);
      },
      preview,
    );
    await playing(ada, async (game) => {
      assert.deepEqual(
        (await list(game)).items.map(({ title }) => title),
        ['Two craters'],
      );
    });
  });
});
