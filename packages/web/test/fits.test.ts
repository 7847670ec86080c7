import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../../server/test/browser.ts';
import { publishLive } from '../../server/test/files.ts';
import { startService, type TestService } from '../../server/test/service.ts';
import { drawPicture } from './pictures.ts';
import { game, setPicture, shownSpace } from './seed.ts';
import { framesDrawn, type Look, openContext, takenOver, walk } from './walk.ts';

const desktop: Look = { device: 'desktop', scheme: 'light' };
const phone: Look = { device: 'phone', scheme: 'light' };

/** Returns whether nothing is drawn over the middle of an element. */
function isOnTop(element: Element): boolean {
  const { x, y, width, height } = element.getBoundingClientRect();
  return element.contains(document.elementFromPoint(x + width / 2, y + height / 2));
}

describe('a space that may not work on this device or browser', () => {
  let service: TestService;
  let browser: Browser;
  let folder: string;
  let forDesktops: string;
  let forPhones: string;
  let unkept: string;
  let pictured: string;
  before(async () => {
    [service, browser] = await Promise.all([startService(), openBrowser()]);
    folder = mkdtempSync(join(tmpdir(), 'spaceport-fits-'));
    const creator = await service.creator('mira');
    const publish = async (devices: ('desktop' | 'mobile')[], storage = true) => {
      const fields = { ...shownSpace, devices };
      const { space } = await publishLive(service, creator, game, { fields, storage });
      return `${service.baseUrl}/s/${space.slug}`;
    };
    forDesktops = await publish(['desktop']);
    forPhones = await publish(['mobile']);
    unkept = await publish(['desktop'], false);
    pictured = await publish(['desktop']);
  });
  after(async () => {
    await browser?.close();
    await service?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** @param storage the storage that frames of other origins get; without it the browser's own behaviour */
  async function using(
    url: string,
    look: Look,
    work: (page: Page) => Promise<void>,
    storage?: 'works' | 'refused',
  ): Promise<void> {
    const context = await openContext(browser, look, { url });
    try {
      if (storage)
        await context.addInitScript((how) => {
          if (window === window.parent) return;
          Object.defineProperty(window, 'localStorage', {
            get() {
              if (how === 'refused') throw new DOMException('Access is denied.', 'SecurityError');
              return { length: 0 };
            },
          });
        }, storage);
      const page = await context.newPage();
      page.setDefaultTimeout(15_000);
      await page.goto(url);
      await takenOver(page);
      await work(page);
    } finally {
      await context.close();
    }
  }
  const runs = (page: Page) => page.frameLocator('iframe').locator('canvas').waitFor();

  it('loads on a device that it was made for before the styles have come', async () => {
    const context = await openContext(browser, desktop, { url: forDesktops });
    try {
      const page = await context.newPage();
      await page.route(/\.css$/u, () => {
        // They never come.
      });
      const begun = page.waitForRequest((request) => request.frame() !== page.mainFrame(), {
        timeout: 15_000,
      });
      await page.goto(forDesktops, { waitUntil: 'commit' });
      await begun;
    } finally {
      await context.close();
    }
  });

  it('asks before it loads on devices that it was not made for, and can be played anyway', async () => {
    for (const [url, look, made] of [
      [forDesktops, phone, 'Made for: desktop'],
      [forPhones, desktop, 'Made for: phone'],
    ] as const)
      await using(url, look, async (page) => {
        await page.getByText(made).waitFor();
        assert.equal(await page.locator('iframe').count(), 0);
        await page.getByRole('button', { name: 'Play anyway' }).click();
        await runs(page);
        assert.equal(await page.getByText(made).count(), 0);
      });
  });

  it('asks over the picture of the space, which does not hide it', async () => {
    const drawing = await browser.newPage();
    await setPicture(service, pictured.slice(pictured.lastIndexOf('/') + 1), await drawPicture(drawing, 3));
    await drawing.close();
    await using(pictured, phone, async (page) => {
      await page.locator('.stage-start img').waitFor();
      for (const words of ['Made for: desktop', 'Play anyway'])
        assert.equal(await page.getByText(words).evaluate(isOnTop), true, words);
    });
  });

  it('sends no request to the space before the answer, however long our script takes to load', async () => {
    const context = await openContext(browser, phone, { url: forDesktops });
    try {
      const page = await context.newPage();
      const asked: string[] = [];
      page.on('request', (request) => asked.push(new URL(request.url()).origin));
      await page.route('**/assets/page-space*', (route) => route.abort());
      await page.goto(forDesktops);
      await page.locator('iframe').waitFor({ state: 'attached' });
      assert.equal(await page.locator('iframe').isVisible(), false);
      // Waits longer than the browser needs to request a visible frame. It may never call itself idle.
      await framesDrawn(page, 5);
      assert.deepEqual([...new Set(asked)], [service.baseUrl]);
    } finally {
      await context.close();
    }
  });

  it('looks right while it asks', () =>
    walk(browser, {
      name: 'space-unfit',
      url: forDesktops,
      looks: [phone, { device: 'phone', scheme: 'dark' }],
      until: (page) => page.getByRole('button', { name: 'Play anyway' }).waitFor(),
    }));

  it('starts without asking on the devices that it was made for', async () => {
    for (const [url, look] of [
      [forDesktops, desktop],
      [forPhones, phone],
    ] as const)
      await using(url, look, runs);
  });

  it('opens in its own tab', () =>
    using(forDesktops, desktop, async (page) => {
      const opened = page.context().waitForEvent('page');
      await page.getByRole('link', { name: 'Own tab', exact: true }).click();
      await (await opened).locator('canvas').waitFor();
    }));

  const told = 'Your browser gives it no storage here.';

  it('explains it when the browser refuses storage, and links to its own tab', async () => {
    await using(
      unkept,
      desktop,
      async (page) => {
        await page.getByText(told).waitFor();
        const link = page.getByRole('link', { name: 'Open in its own tab' });
        assert.equal(await link.getAttribute('href'), await page.locator('iframe').getAttribute('src'));
      },
      'refused',
    );
  });

  it('shows no message when it has storage', () =>
    using(
      unkept,
      desktop,
      async (page) => {
        const asked = page.waitForResponse((answer) => answer.url().endsWith('/.service/storage'));
        await page.reload();
        await asked;
        await takenOver(page);
        await runs(page);
        assert.equal(await page.getByText(told).count(), 0);
      },
      'works',
    ));

  it('shows the message after a drop too', () =>
    using(
      `${service.baseUrl}/drop`,
      desktop,
      async (page) => {
        writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Tide</title><canvas></canvas>');
        await page.locator('input[data-kind=folder]').setInputFiles(folder);
        await page.getByLabel('Title').fill('Tide');
        await page.getByRole('button', { name: 'Publish a preview' }).click();
        await page.getByRole('heading', { name: 'Tide is ready to try' }).waitFor();
        await page.getByText(told).waitFor();
      },
      'refused',
    ));

  it('names the export to choose when the project of an engine is dropped', () =>
    using(`${service.baseUrl}/drop`, desktop, async (page) => {
      const project = mkdtempSync(join(folder, 'godot-'));
      writeFileSync(join(project, 'project.godot'), '[application]');
      await page.locator('input[data-kind=folder]').setInputFiles(project);
      await page.getByText('This is a Godot project: export it with the preset «Web»').waitFor();
    }));
});
