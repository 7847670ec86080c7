import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Frame, Page } from 'playwright-core';
import { openBrowser } from '../../server/test/browser.ts';
import { publishLive } from '../../server/test/files.ts';
import { startService, type TestService } from '../../server/test/service.ts';
import { shownSpace } from './seed.ts';
import { listen, openContext, takenOver } from './walk.ts';

interface Room {
  readonly code: string;
  members(): unknown[];
}
/** The parts of the portal's SDK and of the service's rooms that the game uses. */
declare const CrazyGames: {
  SDK: {
    init(): Promise<void>;
    game: {
      readonly inviteParams: Readonly<Record<string, string>> | null;
      getInviteParam(name: string): string | null;
      showInviteButton(params: object): string;
      hideInviteButton(): void;
    };
  };
};
declare const Spaceport: {
  rooms: { create(): Promise<Room>; join(code: string): Promise<Room>; invited(): string | null };
};

const game = {
  'index.html':
    '<!doctype html><title>Moon</title><script src="https://sdk.crazygames.com/crazygames-sdk-v3.js"></script><canvas></canvas>',
};

describe('an invitation by a game that was made for another portal', () => {
  let service: TestService;
  let browser: Browser;
  let url: string;
  before(async () => {
    [service, browser] = await Promise.all([startService(), openBrowser()]);
    const creator = await service.creator('mira');
    const { slug } = (await publishLive(service, creator, game, { fields: shownSpace })).space;
    url = `${service.baseUrl}/s/${slug}`;
  });
  after(async () => {
    await browser?.close();
    await service?.close();
  });

  async function visitor(address: string): Promise<{ page: Page; frame: Frame; complaints: string[] }> {
    const context = await openContext(browser, { device: 'desktop', scheme: 'light' }, { url });
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    const complaints = listen(page);
    await page.goto(address);
    await takenOver(page);
    await page.frameLocator('iframe').locator('canvas').waitFor({ state: 'attached' });
    const frame = page.frames().find((each) => each.parentFrame() === page.mainFrame());
    assert.ok(frame);
    await frame.evaluate(() => CrazyGames.SDK.init());
    return { page, frame, complaints };
  }

  it('is a button on our page, whose link brings others into the room with the game’s parameters', async () => {
    const one = await visitor(url);
    assert.equal(await one.frame.evaluate(() => CrazyGames.SDK.game.inviteParams), null);
    const { code, link } = await one.frame.evaluate(async () => {
      const room = await Spaceport.rooms.create();
      return { code: room.code, link: CrazyGames.SDK.game.showInviteButton({ map: 'a b', turns: 7 }) };
    });
    assert.equal(link, `${url}?room=${code}&with=map%3Da%2Bb%26turns%3D7`);
    await one.page.getByRole('button', { name: 'Invite' }).click();
    const dialog = one.page.getByRole('dialog');
    assert.equal(await dialog.getByLabel('Address').inputValue(), link);
    await dialog.getByRole('img', { name: `QR code of ${link}` }).waitFor();
    await one.page.keyboard.press('Escape');

    const two = await visitor(link);
    const found = await two.frame.evaluate(async () => {
      const room = await Spaceport.rooms.join(Spaceport.rooms.invited() ?? '');
      return { params: CrazyGames.SDK.game.inviteParams, members: room.members().length };
    });
    assert.deepEqual(found, { params: { map: 'a b', turns: '7' }, members: 2 });
    assert.equal(await two.frame.evaluate(() => CrazyGames.SDK.game.getInviteParam('turns')), '7');
    assert.deepEqual([one.complaints, two.complaints], [[], []]);
    await Promise.all([one.page.context().close(), two.page.context().close()]);
  });

  it('works without a room of ours, until the game withdraws it', async () => {
    const one = await visitor(url);
    const link = await one.frame.evaluate(() => CrazyGames.SDK.game.showInviteButton({ roomId: 'theirs' }));
    assert.equal(link, `${url}?with=roomId%3Dtheirs`);
    await one.page.getByRole('button', { name: 'Invite' }).click();
    const dialog = one.page.getByRole('dialog');
    assert.equal(await dialog.getByLabel('Address').inputValue(), link);
    assert.equal(await dialog.getByLabel('Code of the room').count(), 0);
    await one.page.keyboard.press('Escape');
    await one.page.locator('dialog').waitFor({ state: 'detached' });
    await one.frame.evaluate(() => CrazyGames.SDK.game.hideInviteButton());
    await one.page.getByRole('button', { name: 'Share' }).click();
    assert.equal(await one.page.getByRole('dialog').getByLabel('Address').inputValue(), url);
    assert.deepEqual(one.complaints, []);
    await one.page.context().close();
  });
});
