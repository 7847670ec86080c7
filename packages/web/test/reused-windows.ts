import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';

interface Wanted {
  readonly device: string;
  readonly origin: string;
  open(): Promise<BrowserContext>;
  /** Nothing of the service is in the browser's cache: who comes for the first time sees what jumps as it arrives. */
  readonly isFirst: boolean;
  /** By name. */
  readonly cookies: ReadonlyMap<string, string>;
}

interface OpenWindow {
  readonly origin: string;
  readonly context: BrowserContext;
  readonly page: Page;
}

/** Windows that nobody looks at, one of each device. */
const idle = new WeakMap<Browser, Map<string, OpenWindow>>();

/**
 * Works in a window as it is when it is new: to open one, and to start a process that draws in it, is half of what it costs to look
 * at a page. The next visit on that device gets it again; not so where the page had a frame or something failed, since
 * nobody knows what is left there.
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

/** Takes out what a visit left: of the page, of the tab, of the browser, and of who looked at it. */
async function empty(window: OpenWindow): Promise<void> {
  const { origin, context, page } = window;
  for (const other of context.pages()) if (other !== page) await other.close();
  await page.evaluate(() => sessionStorage.clear());
  // A page of the same origin, so that the process stays: `about:blank` would get another one.
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
