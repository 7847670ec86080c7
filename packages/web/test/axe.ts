import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, ElementContext, RunOptions } from 'axe-core';
import type { CDPSession, Page } from 'playwright-core';

declare global {
  interface Window {
    /** Texts of the page by how they look, one of each. */
    texts: Map<string, Element>;
    axe: {
      run(context: ElementContext, options: RunOptions): Promise<AxeResults>;
      /** Its rules, of which it tells the weight to nobody else. */
      _audit: { rules: readonly { id: string; impact?: string }[] };
    };
  }
}

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const contrast = 'color-contrast';

/** Looks of texts whose contrast was enough, on any page that this process has opened. */
const legible = new Set<string>();

interface Search {
  /** Leaves out what does not change with colours: it has been looked at. */
  readonly coloursAlone?: boolean;
  /** What axe does not look at, by its selector: it is taken out of the page, since axe reads all that is in it. */
  readonly exceptFor?: string | undefined;
}

/**
 * What axe finds that is serious or worse, one line each. What runs in frames is not ours. Contrast takes axe three times
 * what all else takes it, so that a text is measured once however often it is seen in the same colours.
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
  const found = await page.evaluate(runAxe, { texts, coloursAlone, contrast });
  const findings = found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`));
  if (findings.length === 0) for (const text of texts) legible.add(text);
  return findings;
}

const sessions = new WeakMap<Page, Promise<CDPSession>>();

/**
 * Half a megabyte of script, once in a page. As the protocol's own expression: what it was compiled to serves the next page
 * of the window too, which Playwright's `eval` has compiled anew.
 */
async function giveAxe(page: Page): Promise<void> {
  const known = sessions.get(page) ?? page.context().newCDPSession(page);
  sessions.set(page, known);
  const session = await known;
  const { exceptionDetails } = await session.send('Runtime.evaluate', { expression: `${source};0` });
  if (exceptionDetails) throw new Error(`axe does not start: ${exceptionDetails.text}`);
}

/** A colour on its way from one to another is neither. */
async function standStill(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const nextFrame = () => new Promise((done) => requestAnimationFrame(done));
    // What goes on for ever has no end to go to; the end of one may be the beginning of another, of what inherits from it.
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
 * In the page: how each text in it looks, as far as it makes contrast: its colour, its size, and what all that it stands in
 * is called and painted with. One element of each is kept for axe.
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
 * In the page: all rules but contrast on all of it, and contrast on those texts. Rules that find nothing worse than moderate are
 * left out: half of the time went into them.
 */
async function runAxe({
  texts,
  coloursAlone,
  contrast: rule,
}: {
  texts: string[];
  coloursAlone: boolean;
  contrast: string;
}): Promise<AxeResults['violations']> {
  const options: RunOptions = { iframes: false, resultTypes: ['violations'] };
  const shown = texts.flatMap((text) => window.texts.get(text) ?? []);
  const found = [];
  if (!coloursAlone) {
    const left = window.axe._audit.rules.filter(
      ({ id, impact }) => id === rule || impact === 'minor' || impact === 'moderate',
    );
    const rules = Object.fromEntries(left.map(({ id }) => [id, { enabled: false }]));
    found.push(await window.axe.run(document, { ...options, rules }));
  }
  if (shown.length > 0)
    found.push(
      await window.axe.run({ include: shown }, { ...options, runOnly: { type: 'rule', values: [rule] } }),
    );
  return found.flatMap(({ violations }) => violations);
}
