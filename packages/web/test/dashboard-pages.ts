import { after, before } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../../server/test/browser.ts';
import { publishLive } from '../../server/test/files.ts';
import { startPages } from '../../server/test/pages.ts';
import { type Persona, startService, type TestService } from '../../server/test/service.ts';
import { type SignedUp, signUp } from '../../server/test/visitor.ts';
import { fillDashboard } from './dashboard-seed.ts';
import { usePage } from './walk.ts';

/**
 * Opens a service with a creator who has everything in the dashboard, a newcomer who has nothing, and a
 * browser, for the tests of the suite that calls this; they are closed after its tests.
 * @returns what was opened, to be called by a test, and the pages and helpers of `dashboardPages`
 */
export function dashboardOfSuite() {
  let opened: Awaited<ReturnType<typeof openDashboard>>;
  before(async () => {
    opened = await openDashboard();
  });
  after(async () => {
    await opened?.browser.close();
    await opened?.service.close();
    await opened?.pages[Symbol.asyncDispose]();
  });
  return { opened: () => opened, ...dashboardPages(() => opened) };
}

async function openDashboard() {
  const pages = await startPages();
  const [service, browser] = await Promise.all([
    startService({ environment: { PUBLISHES_PER_HOUR: '1000', FETCH_ALLOW: pages.address } }),
    openBrowser(),
  ]);
  const newcomer = await signUp(service, { handle: 'newcomer' });
  return { pages, service, browser, newcomer, ...(await fillDashboard(service, browser)) };
}

interface Opened {
  readonly service: TestService;
  readonly browser: Browser;
  readonly creator: Persona;
  readonly viewer: SignedUp;
  readonly slug: string;
}

/** Returns the addresses of the dashboard, and helpers that open one as the creator. */
export function dashboardPages(opened: () => Opened) {
  const at = (path: string) => `${opened().service.baseUrl}${path}`;
  return {
    at,
    manage: (section: string, of = opened().slug) => at(`/dashboard/${of}?section=${section}`),
    /** Fails if the page complains about anything that `mayComplain` does not allow. */
    using: (url: string, work: (page: Page) => Promise<void>, mayComplain?: RegExp) =>
      usePage(opened().browser, { url, as: opened().viewer, mayComplain, timeoutMs: 8_000 }, work),
    toast: (page: Page, text: string | RegExp) => page.locator('.toast', { hasText: text }).waitFor(),
    /** Publishes a space for one test, so that its changes do not reach the others. */
    freshSpace: async () => (await publishLive(opened().service, opened().creator)).space.slug,
  };
}
