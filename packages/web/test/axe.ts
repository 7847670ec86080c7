import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, ElementContext, RunOptions } from 'axe-core';
import type { CDPSession, Page } from 'playwright-core';

declare global {
  interface Window {
    /** One element for each look of a text on the page, by a hash of the look. */
    texts: Map<string, Element>;
    axe: {
      run(context: ElementContext, options: RunOptions): Promise<AxeResults>;
      /** The rules with their impact, which the public API does not give. */
      _audit: { rules: readonly { id: string; impact?: string }[] };
    };
  }
}

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const contrast = 'color-contrast';

/** Hashes of the looks of texts whose contrast was enough, on any page that this process has opened. */
const legible = new Set<string>();

interface Search {
  /** Leaves out the rules that do not depend on colours, because they have run for this page already. */
  readonly coloursAlone?: boolean;
  /** A selector of elements that are removed from the page first, because axe reads everything in it. */
  readonly exceptFor?: string | undefined;
}

/**
 * Returns what axe finds that is serious or worse, one line each. Frames are left out. Contrast takes three
 * times as long as all other rules together, so texts of the same look are measured once.
 */
export async function findingsOf(
  page: Page,
  { coloursAlone = false, exceptFor }: Search = {},
): Promise<string[]> {
  await standStill(page);
  await page.evaluate((alike) => {
    if (alike !== undefined) for (const each of document.querySelectorAll(alike)) each.remove();
  }, exceptFor);
  const texts = (await page.evaluate(findTexts)).filter((text) => !legible.has(text));
  if (coloursAlone && texts.length === 0) return [];
  if (!(await page.evaluate(() => 'axe' in window))) await giveAxe(page);
  const { violations, measured } = await page.evaluate(runAxe, { texts, coloursAlone, contrast });
  const findings = violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`));
  if (findings.length === 0) for (const text of measured) legible.add(text);
  return findings;
}

const sessions = new WeakMap<Page, Promise<CDPSession>>();

/**
 * Loads axe into the page: half a megabyte of script, once for each page. `Runtime.evaluate` runs it as an
 * expression, so that the next page of the window uses the compiled code again. Playwright's `evaluate` would
 * compile it anew.
 */
async function giveAxe(page: Page): Promise<void> {
  const known = sessions.get(page) ?? page.context().newCDPSession(page);
  sessions.set(page, known);
  const session = await known;
  const { exceptionDetails } = await session.send('Runtime.evaluate', { expression: `${source};0` });
  if (exceptionDetails) throw new Error(`axe does not start: ${exceptionDetails.text}`);
}

/** Ends transitions and animations, because a colour in the middle of a transition cannot be measured. */
async function standStill(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const nextFrame = () => new Promise((done) => requestAnimationFrame(done));
    // An endless animation cannot be finished. The end of one animation may start another one on an element
    // that inherits from it.
    const moving = () =>
      document
        .getAnimations()
        .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY);
    await nextFrame();
    for (let now = moving(); now.length > 0; now = moving()) {
      for (const each of now) each.finish();
      await nextFrame();
    }
  });
}

/**
 * Runs in the page. Returns a hash of the look of each text, as far as it matters for contrast: its colour,
 * its size, and the names and backgrounds of all elements around it. Keeps one element of each look in
 * `window.texts`.
 */
function findTexts(): string[] {
  const hash = (text: string): string => {
    let [one, other] = [0x811c9dc5, 0x01000193];
    for (const letter of text) {
      one = Math.imul(one ^ (letter.codePointAt(0) ?? 0), 0x01000193);
      other = Math.imul(other ^ one, 0x85ebca6b) + 1;
    }
    return `${(one >>> 0).toString(36)}${(other >>> 0).toString(36)}`;
  };
  const grounds = new Map<Element | null, string>([[null, '']]);
  const groundOf = (element: Element | null): string => {
    const known = grounds.get(element);
    if (known !== undefined || element === null) return known ?? '';
    const { backgroundColor, backgroundImage, opacity, filter, position } = getComputedStyle(element);
    const own = [backgroundColor, backgroundImage, opacity, filter, position].join(' ');
    const ground = hash(
      `${groundOf(element.parentElement)} ${element.localName} ${element.className} ${own}`,
    );
    grounds.set(element, ground);
    return ground;
  };
  window.texts = new Map();
  for (const element of document.body.querySelectorAll('*')) {
    const hasText =
      element.matches('input, select, textarea, button') ||
      [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim());
    if (!hasText || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    const { color, fontSize, fontWeight, textShadow } = getComputedStyle(element);
    const disabled = element.closest(':disabled, [aria-disabled="true"]') !== null;
    const own = [color, fontSize, fontWeight, textShadow, disabled].join(' ');
    window.texts.set(hash(`${groundOf(element)} ${own}`), element);
  }
  return [...window.texts.keys()];
}

/**
 * Runs in the page: all rules but contrast on the whole page, and contrast on these texts. Leaves out rules
 * whose impact is minor or moderate, which would take half of the time, and texts that have left the page
 * meanwhile, as toasts do.
 */
async function runAxe({
  texts,
  coloursAlone,
  contrast: rule,
}: {
  texts: string[];
  coloursAlone: boolean;
  contrast: string;
}): Promise<{ violations: AxeResults['violations']; measured: string[] }> {
  const options: RunOptions = { iframes: false, resultTypes: ['violations'] };
  const found = [];
  if (!coloursAlone) {
    const left = window.axe._audit.rules.filter(
      ({ id, impact }) => id === rule || impact === 'minor' || impact === 'moderate',
    );
    const rules = Object.fromEntries(left.map(({ id }) => [id, { enabled: false }]));
    found.push(await window.axe.run(document, { ...options, rules }));
  }
  const measured = texts.filter((text) => window.texts.get(text)?.isConnected);
  const include = measured.flatMap((text) => window.texts.get(text) ?? []);
  if (include.length > 0)
    found.push(await window.axe.run({ include }, { ...options, runOnly: { type: 'rule', values: [rule] } }));
  return { violations: found.flatMap(({ violations }) => violations), measured };
}
