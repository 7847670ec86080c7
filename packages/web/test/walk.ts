import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import type { Visitor } from '../../server/test/visitor.ts';
import { findingsOf } from './axe.ts';
import { inWindow } from './reused-windows.ts';

/** An entry about content that moved. The DOM types do not have it yet. */
export interface LayoutShift extends PerformanceEntry {
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

/** The device and the colour scheme with which a page is opened. */
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
  /** The visitor whose session the browser has. Without it, nobody is signed in. */
  readonly as?: Pick<Visitor, 'cookies'> | undefined;
  /** The looks to open; by default all of them. */
  readonly looks?: readonly Look[];
  /** Waits until the page is there, and brings it into the state to look at: opens a dialog, types. */
  readonly until?: (page: Page) => Promise<unknown>;
  /** A selector of elements that are removed before axe runs, because axe reads everything in a page. */
  readonly exceptFor?: string;
  /** Console messages that are expected, such as those of a game that complains. */
  readonly mayComplain?: RegExp;
}

/**
 * Opens a page on a phone and on a desktop, light and dark. Fails if axe finds something serious, the page
 * complains in the console (also of a violation of our own policy), something is wider than the screen, a field
 * on the phone makes Safari zoom in, or content jumps. With SHOTS=<folder> it keeps a picture of each look.
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

/**
 * Opens the page on one device. It is loaded in the first scheme; the other schemes only change its colours.
 */
async function walkOn(browser: Browser, visit: Visit, wanted: readonly Look[]): Promise<void> {
  const [first] = wanted;
  if (first === undefined) return;
  const { origin } = new URL(visit.url);
  const { cookies = new Map<string, string>() } = visit.as ?? {};
  const open = () => openContext(browser, first, { url: visit.url });
  // Only visits in all looks begin with an empty cache. Other states use files that are cached already.
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
  const { wide, shift, shifted, standIns, zooming } = await page.evaluate(
    (isPhone) => ({
      zooming: [...document.querySelectorAll(isPhone ? 'input, select, textarea' : 'no-field')]
        .filter((one) => !one.matches('[type=checkbox], [type=radio], [type=color], [type=file]'))
        .filter((one) => one.checkVisibility() && Number.parseFloat(getComputedStyle(one).fontSize) < 16)
        .map((one) => one.outerHTML.slice(0, 100)),
      standIns: [...document.querySelectorAll('noscript')].filter((one) => one.checkVisibility()).length,
      wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
      shift: window.layoutShift ?? 0,
      shifted: window.shifted ?? [],
    }),
    first.device === 'phone',
  );
  // For a picture of the whole page the window changes its size, which moves content, so shifts are read
  // before.
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
  assert.deepEqual(zooming, [], `${of(first)}: text smaller than 16 px in a field`);
  assert.ok(shift < 0.05, `${of(first)}: jumped by ${shift}: ${shifted.join('; ')}`);
}

/**
 * Uses a page on a desktop, in a window of its own. Fails if it complains in the console of more than
 * `mayComplain` allows, or if axe finds something serious at the end.
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

/** Opens a browser context of its own, signed in if `as` is given. */
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
    // A headless browser's own user agent says that it is a robot, and plays of robots are not counted.
    userAgent:
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/147.0 Safari/537.36',
  });
  if (latencyMs > 0) await holdCalls(context);
  // A cookie for a longer address would be valid only for that folder, and not for the API.
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

    // Preact says nothing when it draws anew what the server drew otherwise. It hydrates in one go, so what was
    // changed meanwhile is known when it says that it is done. It cuts texts that HTML joins, and empties what
    // stands in for script.
    const changes = new MutationObserver(() => {});
    changes.observe(document, { subtree: true, childList: true });
    const mark = performance.mark.bind(performance);
    performance.mark = (name, options) => {
      for (const { target, addedNodes, removedNodes } of name === 'hydrated' ? changes.takeRecords() : []) {
        const elements = [...addedNodes, ...removedNodes].filter((node) => node instanceof Element);
        if (
          target instanceof Element &&
          target.closest('#page') &&
          !target.matches('noscript') &&
          elements[0]
        )
          console.warn(`Hydrating drew ${elements[0].outerHTML.slice(0, 120)} in ${target.className}`);
      }
      return mark(name, options);
    };
  });
  return context;
}

/** For finding what only works on a fast line: how long each call of a page is held. */
const latencyMs = Number(process.env.TEST_LATENCY ?? 0);

async function holdCalls(context: BrowserContext): Promise<void> {
  await context.route('**/api/**', async (route) => {
    await pause(latencyMs);
    // The page may be closed by now.
    await route.continue().catch(() => {});
  });
}

/** Opens a page in a context of its own, and waits until it has taken over. Close the context to close it. */
export async function openPage(browser: Browser, { url, as }: Pick<Visit, 'url' | 'as'>): Promise<Page> {
  const context = await openContext(browser, undefined, { url, as });
  const page = await context.newPage();
  await page.goto(url);
  await takenOver(page);
  return page;
}

/** Presses the button with exactly this name. */
export const press = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).click();

/** Returns the field with exactly this label. */
export const field = (page: Page, label: string): Locator => page.getByLabel(label, { exact: true });

/** Waits until Preact has hydrated the page. A document that packages/web did not render is ready at once. */
export async function takenOver(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      document.getElementById('first-data') === null ||
      // Preact keeps the hydrated tree at its root.
      '__k' in (document.getElementById('page') ?? {}),
  );
}

/** Returns a list of the page's complaints, which grows while the page is open. */
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
  // A frame that is scrolled out of sight is not drawn.
  await page.evaluate(() => scrollTo(0, 0));
  await page.screenshot({ path: join(folder, `${name}-${device}-${scheme}.png`), fullPage: true });
}

/**
 * Waits until a page has given the keys to its game, which takes two frames after a press or a dialog
 * (src/ui/game-keys.ts). Before that, the game may have the focus while it is still covered, and hears
 * nothing. A person does not type so fast.
 */
export function keysGiven(page: Page): Promise<void> {
  return framesDrawn(page, 3);
}

/** Waits until the page has drawn so many frames. */
export function framesDrawn(page: Page, count: number): Promise<void> {
  return page.evaluate(async (wanted) => {
    for (let frames = 0; frames < wanted; frames += 1)
      await new Promise<number>((resolve) => requestAnimationFrame(resolve));
  }, count);
}
