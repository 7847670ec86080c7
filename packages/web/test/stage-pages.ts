import type { Browser, BrowserContext, Page } from 'playwright-core';
import { openBrowser } from '../../server/test/browser.ts';
import { startService, type TestService } from '../../server/test/service.ts';
import type { SignedUp } from '../../server/test/visitor.ts';
import { publishStage } from './stage-game.ts';
import { field, takenOver, usePage } from './walk.ts';

const timeoutMs = 20_000;

/** Returns the key of the guest that the page has stored, null if there is none. */
export const guestKeyOf = (page: Page) => page.evaluate(() => localStorage.getItem('spaceport-guest'));

/** Opens a service with a published game, and a browser. */
export async function openStage() {
  const [service, browser] = await Promise.all([
    startService({ environment: { PUBLISHES_PER_HOUR: '1000', GUESTS_PER_HOUR: '1000' } }),
    openBrowser(),
  ]);
  const creator = await service.creator('mira');
  return { service, browser, creator, slug: await publishStage(service, creator) };
}

/** Helpers for tests of games: addresses of pages, entries of boards, windows and signing in. */
export function stagePages(opened: () => { service: TestService; browser: Browser }) {
  return {
    pageOf: (of: string) => `${opened().service.baseUrl}/s/${of}`,
    async boardOf(of: string): Promise<{ handle: string; score: number }[]> {
      const { anonymous } = opened().service;
      return (await anonymous.call('GET', `/api/gallery/${of}/boards/points/entries`)).json().entries;
    },
    async open(context: BrowserContext, url: string): Promise<Page> {
      const page = await context.newPage();
      page.setDefaultTimeout(timeoutMs);
      await page.goto(url);
      await takenOver(page);
      return page;
    },
    using: (
      url: string,
      work: (page: Page, context: BrowserContext) => Promise<void>,
      { as, mayComplain }: { as?: SignedUp; mayComplain?: RegExp } = {},
    ) => usePage(opened().browser, { url, as, mayComplain, timeoutMs }, work),
    async signIn(page: Page, { email, password }: SignedUp): Promise<void> {
      const dialog = page.getByRole('dialog');
      await field(page, 'E-mail address').fill(email);
      await field(page, 'Password').fill(password);
      await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
    },
    /** Signs the browser in to another account, or out, as another tab does. */
    async become(context: BrowserContext, who: SignedUp | null): Promise<void> {
      await context.clearCookies();
      const url = opened().service.baseUrl;
      await context.addCookies([...(who?.cookies ?? [])].map(([name, value]) => ({ name, value, url })));
    },
  };
}
