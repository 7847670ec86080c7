import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../../server/test/browser.ts';
import { findingsOf } from './axe.ts';

/** Returns a page with this body in which axe finds nothing serious otherwise. */
const whole = (body: string) =>
  `<!doctype html><html lang="en"><title>A page</title><main><h1>A page</h1>${body}</main>`;

describe('the accessibility check', () => {
  let browser: Browser;
  let page: Page;
  before(async () => {
    browser = await openBrowser();
    page = await (await browser.newContext()).newPage();
  });
  after(() => browser?.close());

  async function foundIn(html: string): Promise<string[]> {
    await page.goto('about:blank');
    await page.setContent(html);
    return (await findingsOf(page)).map((finding) => finding.split(':', 1)[0] ?? '');
  }

  it('reports critical and serious problems on each page of a window', async () => {
    assert.deepEqual(await foundIn(whole('<button></button>')), ['button-name']);
    assert.deepEqual(await foundIn(whole('<img src="data:,">')), ['image-alt']);
    assert.deepEqual(await foundIn(whole('<p style="color:#bbb;background:#fff">Pale')), ['color-contrast']);
    assert.deepEqual(await foundIn(whole('<p>Well')), []);
    assert.deepEqual(await foundIn('<!doctype html><title>A page</title>Well'), ['html-has-lang']);
  });

  it('ignores moderate problems', async () => {
    assert.deepEqual(await foundIn('<!doctype html><html lang="en"><title>A page</title><h3>Well</h3>'), []);
  });
});
