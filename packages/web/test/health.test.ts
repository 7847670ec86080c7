import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../../server/test/browser.ts';
import { type Files, publishLive } from '../../server/test/files.ts';
import { type Persona, startService, type TestService } from '../../server/test/service.ts';
import type { SignedUp } from '../../server/test/visitor.ts';
import { dashboardPages } from './dashboard-pages.ts';
import { creatorWithBrowser } from './dashboard-seed.ts';
import { shownSpace } from './seed.ts';
import { looks, openContext, press, takenOver, walk } from './walk.ts';

/** The parts of the player module that this test uses. */
declare const Spaceport: { ready(): Promise<void> };

/** A game as a bundler builds it: line 2 of its script comes from line 7, column 3 of src/moth.ts. */
const moth = {
  'index.html': `<!doctype html><title>Moth</title>
<style>html,body{margin:0;height:100%;background:#10131f}canvas{display:block;width:100%;height:100%}</style>
<canvas></canvas><script src="assets/moth-Bx81aQz0.js"></script>`,
  'assets/moth-Bx81aQz0.js': `function fly(m){
m.wings.flap()}
addEventListener("keydown",()=>fly({}));
//# sourceMappingURL=moth-Bx81aQz0.js.map
`,
  'assets/moth-Bx81aQz0.js.map': JSON.stringify({
    version: 3,
    sources: ['../../src/moth.ts'],
    names: [],
    mappings: ';AAME',
  }),
} satisfies Files;

describe('the health of a game, as its creator sees it', () => {
  let service: TestService;
  let browser: Browser;
  let creator: Persona;
  let viewer: SignedUp;
  before(async () => {
    [service, browser] = await Promise.all([
      startService({ environment: { PUBLISHES_PER_HOUR: '1000' } }),
      openBrowser(),
    ]);
    ({ creator, viewer } = await creatorWithBrowser(service, 'mira'));
  });
  after(async () => {
    await browser?.close();
    await service?.close();
  });

  const { using, manage } = dashboardPages(() => ({ service, browser, creator, viewer, slug: '' }));
  const publish = async () => (await publishLive(service, creator, moth, { fields: shownSpace })).space.slug;
  const health = (slug: string) => manage('health', slug);
  const read = async (slug: string, what: 'telemetry' | 'errors') =>
    (await creator.call('GET', `/api/spaces/${slug}/${what}`)).json();

  /** Opens the game, presses a key at which it throws, and leaves the page. */
  async function play(slug: string, as?: SignedUp): Promise<void> {
    const url = `${service.baseUrl}/s/${slug}`;
    const context = await openContext(browser, undefined, { url, as });
    try {
      const page = await context.newPage();
      page.setDefaultTimeout(20_000);
      await page.goto(url);
      await takenOver(page);
      await page.frameLocator('iframe').locator('canvas').waitFor({ state: 'attached' });
      const frame = page.frames().find((each) => each.parentFrame() === page.mainFrame());
      await frame?.evaluate(() => Spaceport.ready());
      await frame?.waitForFunction(() => document.readyState === 'complete');
      const told = page.waitForResponse((answer) => answer.url().endsWith('/api/player/errors'));
      await page.frameLocator('iframe').locator('body').press('x');
      await told;
      // Opens another page in the same window, because the page sends its last reports when it is left.
      await page.goto(`${service.baseUrl}/docs/api`);
    } finally {
      await context.close();
    }
  }

  /** Repeats the request until the answer is there: reports of a page that is left arrive later. */
  async function until<Value>(ask: () => Promise<Value>, isThere: (value: Value) => boolean): Promise<Value> {
    for (const end = Date.now() + 20_000; ; ) {
      const value = await ask();
      if (isThere(value)) return value;
      assert.ok(Date.now() < end, JSON.stringify(value));
    }
  }

  it('counts loads and starts of others but not of the owner, and the errors of all', async () => {
    const slug = await publish();
    await play(slug, viewer);
    const told = await until(
      () => read(slug, 'errors'),
      ({ errors }) => errors.length > 0,
    );
    assert.deepEqual([told.errors[0].count, told.errors[0].sessions], [1, 0], 'a load of the owner is none');
    assert.equal((await read(slug, 'telemetry')).versions[0].sessions, 0);

    await play(slug);
    const { versions } = await until(
      () => read(slug, 'telemetry'),
      (answer) => answer.versions[0].ms_to_play !== null,
    );
    const [version] = versions;
    assert.deepEqual([version.version, version.sessions, version.never_played, version.errors], [1, 1, 0, 2]);
    assert.ok(version.bytes_to_play.median > 0);
    const [error] = (await read(slug, 'errors')).errors;
    assert.equal(error.place, 'assets/moth.js, fly');
    assert.match(error.message, /Cannot read properties of undefined \(reading 'flap'\)/u);
  });

  it('shows the owner an error with its source-mapped stack, and marks it as resolved', async () => {
    const slug = await publish();
    await play(slug);
    await using(health(slug), async (page) => {
      await page.getByRole('button', { name: /reading 'flap'/u }).click();
      await page.getByText('at fly (src/moth.ts:7:3)').waitFor();
      await page.getByText(/In Chrome 147 \(1\)/u).waitFor();
      await press(page, 'Mark as resolved');
      await page.getByText('No errors').waitFor();
      await press(page, 'Resolved');
      await page.getByRole('button', { name: /reading 'flap'/u }).waitFor();
      const mail = page.getByLabel(/^Mail me/u);
      assert.equal(await mail.isChecked(), true);
      await mail.click();
      await until(
        async () => (await creator.call('GET', `/api/spaces/${slug}/error-mails`)).json(),
        ({ on }) => !on,
      );
      await page.waitForFunction(() => document.querySelector('.check input:checked') === null);
    });
  });

  it('shows what was counted meanwhile when one comes back to it', async () => {
    const slug = await publish();
    await play(slug);
    await using(health(slug), async (page) => {
      const line = page.getByRole('button', { name: /reading 'flap'/u });
      await line.getByText('1 time', { exact: true }).waitFor();
      await play(slug);
      await until(
        () => read(slug, 'errors'),
        ({ errors }) => errors[0].count === 2,
      );
      await page.getByRole('link', { name: 'Versions' }).click();
      await line.waitFor({ state: 'hidden' });
      await page.getByRole('link', { name: 'Health' }).click();
      await line.getByText('2 times', { exact: true }).waitFor();
    });
  });

  it('looks right with plays and errors, and without any', async () => {
    const slug = await publish();
    await walk(browser, {
      name: 'manage-health-empty',
      url: health(slug),
      as: viewer,
      looks: looks.slice(0, 1),
      until: (page) => page.getByText('No errors').waitFor(),
    });
    await play(slug);
    await walk(browser, {
      name: 'manage-health',
      url: health(slug),
      as: viewer,
      until: async (page) => {
        await page.getByRole('button', { name: /reading 'flap'/u }).click();
        await page.getByText('at fly (src/moth.ts:7:3)').waitFor();
      },
    });
  });
});
