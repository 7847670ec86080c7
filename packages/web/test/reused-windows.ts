import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';

interface Wanted {
  readonly device: string;
  readonly origin: string;
  open(): Promise<BrowserContext>;
  /**
   * Empties the browser's cache, so that the page loads as for a first visitor and jumps of the layout are
   * seen.
   */
  readonly isFirst: boolean;
  /** Values by name. */
  readonly cookies: ReadonlyMap<string, string>;
}

interface OpenWindow {
  readonly origin: string;
  readonly context: BrowserContext;
  readonly page: Page;
}

/** Unused windows, one for each device. */
const idle = new WeakMap<Browser, Map<string, OpenWindow>>();

/**
 * Runs `work` in a window that looks like a new one. Opening a window and starting its drawing process would
 * be half of the time of a visit, so the next visit on that device gets the same window. It is closed if the
 * page had a frame or something failed, because its state is unknown then.
 */
export async function inWindow(
  browser: Browser,
  { device, origin, open, isFirst, cookies }: Wanted,
  work: (page: Page) => Promise<void>,
): Promise<void> {
  const windows = idle.get(browser) ?? new Map<string, OpenWindow>();
  idle.set(browser, windows);
  const last = windows.get(device);
  windows.delete(device);
  if (last !== undefined && last.origin !== origin) await last.context.close();
  const window = last?.origin === origin ? last : await openAt(origin, await open());
  let isReusable = false;
  try {
    if (isFirst && window === last) await send(window, 'Network.clearBrowserCache');
    await window.context.addCookies([...cookies].map(([name, value]) => ({ name, value, url: origin })));
    await work(window.page);
    isReusable = window.page.frames().length === 1;
    if (isReusable) await empty(window);
  } finally {
    if (isReusable && !windows.has(device)) windows.set(device, window);
    else await window.context.close();
  }
}

async function openAt(origin: string, context: BrowserContext): Promise<OpenWindow> {
  return { origin, context, page: await context.newPage() };
}

/** Deletes what a visit left in the page, the tab and the browser, and signs the visitor out. */
async function empty(window: OpenWindow): Promise<void> {
  const { origin, context, page } = window;
  for (const other of context.pages()) if (other !== page) await other.close();
  await page.evaluate(() => sessionStorage.clear());
  // A page of the same origin keeps the process. `about:blank` would get another one.
  await page.goto(`${origin}/robots.txt`);
  for (const event of ['console', 'pageerror'] as const) page.removeAllListeners(event);
  await page.unrouteAll();
  await context.clearCookies();
  await context.clearPermissions();
  await send(window, 'Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
}

async function send(
  { context, page }: OpenWindow,
  ...command: Parameters<CDPSession['send']>
): Promise<void> {
  const session = await context.newCDPSession(page);
  await session.send(...command);
  await session.detach();
}
