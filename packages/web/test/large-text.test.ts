import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../../server/test/browser.ts';
import { publishLive } from '../../server/test/files.ts';
import { type Persona, startService, type TestService } from '../../server/test/service.ts';
import type { SignedUp } from '../../server/test/visitor.ts';
import { creatorWithBrowser } from './dashboard-seed.ts';
import { shownSpace } from './seed.ts';
import { openContext, takenOver } from './walk.ts';

const usualPx = 16;

describe('pages on the smallest phone', () => {
  let service: TestService;
  let browser: Browser;
  let creator: Persona;
  let viewer: SignedUp;
  let slug: string;
  before(async () => {
    [service, browser] = await Promise.all([startService(), openBrowser()]);
    ({ creator, viewer } = await creatorWithBrowser(service, 'mira'));
    slug = (await publishLive(service, creator, undefined, { fields: shownSpace })).space.slug;
  });
  after(async () => {
    await browser?.close();
    await service?.close();
  });

  /** Returns by how many pixels each page is wider than the screen, if it is. */
  async function wide(paths: readonly string[], fontPx: number, as?: SignedUp): Promise<string[]> {
    const url = service.baseUrl;
    const context = await openContext(browser, { device: 'phone', scheme: 'light' }, { url, as });
    try {
      const page = await context.newPage();
      page.setDefaultTimeout(20_000);
      await page.setViewportSize({ width: 320, height: 640 });
      const session = await context.newCDPSession(page);
      await session.send('Page.setFontSizes', { fontSizes: { standard: fontPx, fixed: fontPx } });
      const found: string[] = [];
      for (const path of paths) {
        await page.goto(path);
        await takenOver(page);
        const over = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        if (over > 0) found.push(`${path}: ${over}`);
      }
      return found;
    } finally {
      await context.close();
    }
  }
  const open = () => ['/', `/s/${slug}`, '/@mira', '/drop', '/sign-in', '/sign-up', '/claim', '/docs/api'];
  const own = () =>
    ['/dashboard', `/dashboard/${slug}?section=players`, '/settings', '/me', '/handle'].concat(open());

  it('have the account’s menu below the header, and inside of the screen', async () => {
    const url = `${service.baseUrl}/dashboard`;
    const look = { device: 'phone', scheme: 'light' } as const;
    const context = await openContext(browser, look, { url, as: viewer });
    const page = await context.newPage();
    await page.setViewportSize({ width: 320, height: 640 });
    const session = await context.newCDPSession(page);
    await session.send('Page.setFontSizes', { fontSizes: { standard: 2 * usualPx, fixed: 2 * usualPx } });
    await page.goto(url);
    const account = page.getByRole('button', { name: '@mira' });
    await account.click();
    const [button, menu] = [await account.boundingBox(), await page.locator('#account-menu').boundingBox()];
    assert.ok(button && menu);
    assert.ok(menu.y >= button.y + button.height, JSON.stringify({ button, menu }));
    assert.ok(menu.x >= 0 && menu.x + menu.width <= 320, JSON.stringify(menu));
    await context.close();
  });

  it('keep the cross of a dialog as large as a finger, however long its title is', async () => {
    const url = `${service.baseUrl}/s/${slug}`;
    const look = { device: 'phone', scheme: 'light' } as const;
    const context = await openContext(browser, look, { url, as: viewer });
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    await page.setViewportSize({ width: 320, height: 640 });
    await page.goto(url);
    await takenOver(page);
    await page.getByRole('button', { name: 'Share' }).click();
    const title = page.getByRole('dialog').getByRole('heading');
    await title.evaluate((heading) => heading.append('W'.repeat(80)));
    const cross = await page.getByRole('button', { name: 'Close' }).boundingBox();
    assert.ok(cross && cross.width >= 44, JSON.stringify(cross));
    await context.close();
  });

  it('are as wide as it, for strangers and for creators', async () => {
    assert.deepEqual([...(await wide(open(), usualPx)), ...(await wide(own(), usualPx, viewer))], []);
  });

  it('are as wide as it whatever operators write, and what a picture is called', async () => {
    const word = 'x'.repeat(160);
    const held = (await publishLive(service, creator)).space.slug;
    const operator = await service.creator('keeper', { operator: true });
    const body = { reason: 'A letter.', message: `See https://court.example/${word}` };
    const answer = await operator.call('POST', `/api/operator/spaces/${held}/hold`, body);
    assert.equal(answer.status, 200, answer.text());
    const url = service.baseUrl;
    const context = await openContext(browser, { device: 'phone', scheme: 'light' }, { url, as: viewer });
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    await page.setViewportSize({ width: 320, height: 640 });
    const over = () =>
      page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    await page.goto(`/dashboard/${held}`);
    await page.getByText(word).waitFor();
    assert.equal(await over(), 0);
    await page.goto(`/dashboard/${slug}?section=page`);
    const picture = { name: `${word.slice(0, 60)}.png`, mimeType: 'image/png', buffer: Buffer.from('x') };
    await page.getByLabel('Your own picture').setInputFiles(picture);
    await page.getByRole('button', { name: picture.name }).waitFor();
    assert.equal(await over(), 0);
    await context.close();
  });

  it('are as wide as it where the text is twice as large', async () => {
    assert.deepEqual([...(await wide(open(), 2 * usualPx)), ...(await wide(own(), 2 * usualPx, viewer))], []);
  });
});
