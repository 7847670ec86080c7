import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import type { Visitor } from '../../server/test/visitor.ts';
import { findingsOf } from './axe.ts';
import { inWindow } from './reused-windows.ts';

/** What the browser says of what was there and moved, which the types do not know yet. */
interface LayoutShift extends PerformanceEntry {
  readonly value: number;
  readonly hadRecentInput: boolean;
  readonly sources: readonly {
    readonly node: Node | null;
    readonly previousRect: DOMRectReadOnly;
    readonly currentRect: DOMRectReadOnly;
  }[];
}

declare global {
  interface Window {
    layoutShift: number;
    shifted: string[];
  }
}

/** How a page is looked at. */
export interface Look {
  readonly device: 'phone' | 'desktop';
  readonly scheme: 'light' | 'dark';
}

export const looks: readonly Look[] = (['desktop', 'phone'] as const).flatMap((device) =>
  (['light', 'dark'] as const).map((scheme) => ({ device, scheme })),
);

export interface Visit {
  /** Names the screenshots: `gallery`, `space-held`. */
  readonly name: string;
  readonly url: string;
  /** Whose session the browser has; nobody's where absent. */
  readonly as?: Pick<Visitor, 'cookies'> | undefined;
  /** Which of the looks; all of them where absent. */
  readonly looks?: readonly Look[];
  /** Waits for what shows that the page is there, and does what is to be seen: opens a dialog, types. */
  readonly until?: (page: Page) => Promise<unknown>;
  /** What axe does not look at, by its selector: it is taken out of the page, since axe reads all that is in it. */
  readonly exceptFor?: string;
  /** Console messages that belong to the page: a game that complains. */
  readonly mayComplain?: RegExp;
}

/**
 * Looks at a page on a phone and on a desktop, light and dark, and fails where axe finds something serious, the page
 * complains in the console (a refusal of our own policy is one), something is wider than the screen, or what was there jumps.
 * With SHOTS=<folder> it keeps a picture of each look.
 */
export async function walk(browser: Browser, visit: Visit): Promise<void> {
  const wanted = visit.looks ?? looks;
  for (const device of new Set(wanted.map((look) => look.device)))
    await walkOn(
      browser,
      visit,
      wanted.filter((look) => look.device === device),
    );
}

/** On one device, of which the page is loaded in the first of the schemes: in the others it has other colours alone. */
async function walkOn(browser: Browser, visit: Visit, wanted: readonly Look[]): Promise<void> {
  const [first] = wanted;
  if (first === undefined) return;
  const { origin } = new URL(visit.url);
  const { cookies = new Map<string, string>() } = visit.as ?? {};
  const open = () => openContext(browser, first, { url: visit.url });
  // In other states than those that are seen in every look, the page has what it is made of.
  const isFirst = visit.looks === undefined;
  await inWindow(browser, { device: first.device, origin, open, isFirst, cookies }, async (page) => {
    page.setDefaultTimeout(8_000);
    await page.emulateMedia({ colorScheme: first.scheme });
    await lookAt(page, visit, wanted);
  });
}

async function lookAt(page: Page, visit: Visit, [first, ...others]: readonly Look[]): Promise<void> {
  if (first === undefined) return;
  const { exceptFor } = visit;
  const of = (look: Look) => `${visit.name}, ${look.device}, ${look.scheme}`;
  const complaints = listen(page, visit.mayComplain);
  await page.goto(visit.url);
  await takenOver(page);
  await visit.until?.(page);
  await page.evaluate(() => document.fonts.ready);
  const { wide, shift, shifted, standIns } = await page.evaluate(() => ({
    standIns: [...document.querySelectorAll('noscript')].filter((one) => one.checkVisibility()).length,
    wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    shift: window.layoutShift ?? 0,
    shifted: window.shifted ?? [],
  }));
  // A picture of the whole page is taken through windows of other sizes: what moves in them is not the page's doing.
  await keepPicture(page, visit.name, first);
  assert.deepEqual(await findingsOf(page, { exceptFor }), [], of(first));
  for (const look of others) {
    await page.emulateMedia({ colorScheme: look.scheme });
    await keepPicture(page, visit.name, look);
    assert.deepEqual(await findingsOf(page, { coloursAlone: true }), [], of(look));
  }
  assert.deepEqual(complaints, [], of(first));
  assert.equal(standIns, 0, `${of(first)}: shows what stands in for script`);
  assert.ok(wide <= 0, `${of(first)}: ${wide} px wider than the screen`);
  assert.ok(shift < 0.05, `${of(first)}: jumped by ${shift}: ${shifted.join('; ')}`);
}

/**
 * Uses a page on a desktop, in a window of its own. Fails where it complains in the console of more than `mayComplain`,
 * or axe finds something serious in the end.
 */
export async function usePage(
  browser: Browser,
  { url, as, mayComplain, timeoutMs }: Omit<Visit, 'name' | 'looks' | 'until'> & { timeoutMs: number },
  work: (page: Page, context: BrowserContext) => Promise<void>,
): Promise<void> {
  const context = await openContext(browser, undefined, { url, as });
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(timeoutMs);
    const complaints = listen(page, mayComplain);
    await page.goto(url);
    await takenOver(page);
    await work(page, context);
    assert.deepEqual(await findingsOf(page), []);
    assert.deepEqual(complaints, []);
  } finally {
    await context.close();
  }
}

/** A window of its own, as somebody who may be signed in. */
export async function openContext(
  browser: Browser,
  { device, scheme }: Look = { device: 'desktop', scheme: 'light' },
  { url, as }: Pick<Visit, 'url' | 'as'>,
): Promise<BrowserContext> {
  const phone = device === 'phone';
  const context = await browser.newContext({
    baseURL: new URL(url).origin,
    viewport: phone ? { width: 390, height: 844 } : { width: 1360, height: 850 },
    isMobile: phone,
    hasTouch: phone,
    colorScheme: scheme,
    reducedMotion: 'reduce',
    deviceScaleFactor: 1,
    // A headless browser's own name says that it is a robot, and robots play nothing.
    userAgent:
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/147.0 Safari/537.36',
  });
  // The origin: of a longer address a cookie would be for that folder alone, and not for the API.
  const { origin } = new URL(url);
  if (as) await context.addCookies([...as.cookies].map(([name, value]) => ({ name, value, url: origin })));
  await context.addInitScript(() => {
    window.layoutShift = 0;
    window.shifted = [];
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as LayoutShift[]) {
        if (entry.hadRecentInput) continue;
        window.layoutShift += entry.value;
        for (const { node, previousRect: from, currentRect: to } of entry.sources)
          window.shifted.push(
            `${node instanceof Element ? node.outerHTML.slice(0, 80) : node?.textContent} from ${from.y}+${from.height} to ${to.y}+${to.height}`,
          );
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  return context;
}

/** A window of its own on a page that has taken over; closing its context closes it. */
export async function openPage(browser: Browser, { url, as }: Pick<Visit, 'url' | 'as'>): Promise<Page> {
  const context = await openContext(browser, undefined, { url, as });
  const page = await context.newPage();
  await page.goto(url);
  await takenOver(page);
  return page;
}

/** Presses the button of exactly that name. */
export const press = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).click();

/** The field of exactly that label. */
export const field = (page: Page, label: string): Locator => page.getByLabel(label, { exact: true });

/** Waits until React has taken over what the server drew; a document without a page of packages/web is there at once. */
export async function takenOver(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      document.getElementById('first-data') === null ||
      // React marks what it has taken over.
      Object.keys(document.getElementById('page')?.firstElementChild ?? {}).some((key) =>
        key.startsWith('__reactFiber$'),
      ),
  );
}

/** What the page says went wrong; the list grows while it is open. */
export function listen(page: Page, mayComplain?: RegExp): string[] {
  const complaints: string[] = [];
  const note = (text: string) => {
    if (!mayComplain?.test(text)) complaints.push(text);
  };
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()))
      note(`${message.text()} ${message.location().url}`.trim());
  });
  page.on('pageerror', (error) => note(String(error)));
  return complaints;
}

export async function keepPicture(page: Page, name: string, { device, scheme }: Look): Promise<void> {
  const folder = process.env.SHOTS;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  // A frame that has been scrolled away is not drawn.
  await page.evaluate(() => scrollTo(0, 0));
  await page.screenshot({ path: join(folder, `${name}-${device}-${scheme}.png`), fullPage: true });
}

/**
 * Waits until a page has handed the keys to its game: it takes two frames after a press or a dialog (src/ui/game-keys.ts). Before
 * that the game may say that it has the focus while it is still covered, and hear nothing; nobody types so fast.
 */
export function keysGiven(page: Page): Promise<void> {
  return page.evaluate(async () => {
    for (let frames = 0; frames < 3; frames += 1)
      await new Promise<number>((resolve) => requestAnimationFrame(resolve));
  });
}
