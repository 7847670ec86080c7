import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import type { BrowserContext, Frame, Page } from 'playwright-core';
import { quickPainting } from '../src/platform/browser/flags.ts';
import { openProfile } from './browser.ts';
import { type Files, publishLive } from './files.ts';
import { type Persona, startService, type TestService } from './service.ts';

const withoutDictionaries = '--disable-features=CompressionDictionaryTransport';
const pictures = 60;
const asset = randomBytes(800_000);
const engine = randomBytes(400_000);
const library = `/* ${randomBytes(60_000).toString('base64')} */`;
const images = Object.fromEntries(
  Array.from({ length: pictures }, (_, index) => [`img/${index}.png`, randomBytes(2_000)]),
);

/** A page that changes its title once it has everything, as a game does. */
const page = `<!doctype html><title>loading</title><script src="library.js"></script><script>
  const binaries = ['engine.wasm', 'level.data', ...Array.from({ length: ${pictures} }, (_, index) => 'img/' + index + '.png')];
  Promise.all(binaries.map(async (path) => {
    const answer = await fetch(path);
    return answer.ok ? (await answer.arrayBuffer()).byteLength : path;
  })).then((sizes) => { window.sizes = sizes; document.title = mark; });
</script>`;
const game = (mark: string): Files => ({
  'index.html': page,
  'library.js': `${library}const mark = "${mark}";`,
  'engine.wasm': Buffer.concat([engine.subarray(0, 200_000), Buffer.from(mark), engine.subarray(200_000)]),
  'level.data': asset,
  ...images,
});

interface Loaded {
  /** The bytes that were sent over the network, by path. */
  readonly sent: Record<string, number>;
  readonly address: string;
}

describe('visits to a space, in a browser', () => {
  let service: TestService;
  let creator: Persona;
  before(async () => {
    service = await startService();
    creator = await service.creator();
  });
  after(() => service?.close());

  async function visit(context: BrowserContext, slug: string, mark: string): Promise<Loaded> {
    const opened = await context.newPage();
    await opened.goto(`${service.baseUrl}/s/${slug}`);
    const frame = await frameOf(opened);
    await frame.waitForFunction(`document.title === ${JSON.stringify(mark)}`);
    const sent = await frame.evaluate(() =>
      Object.fromEntries(
        performance
          .getEntries()
          .filter((entry) => entry instanceof PerformanceResourceTiming && entry.transferSize > 0)
          .map((entry) => [new URL(entry.name).pathname, (entry as PerformanceResourceTiming).transferSize]),
      ),
    );
    const loaded = { sent, address: frame.url() };
    await opened.close();
    return loaded;
  }

  async function frameOf(opened: Page): Promise<Frame> {
    const element = await opened.locator('iframe.frame').first().elementHandle();
    const frame = await element?.contentFrame();
    assert.ok(frame);
    return frame;
  }

  async function publish(): Promise<{ slug: string; update: (mark: string) => Promise<void> }> {
    const { space } = await publishLive(service, creator, game('one'));
    const { slug } = space;
    return {
      slug,
      update: async (mark) => void (await publishLive(service, creator, game(mark), { space: slug })),
    };
  }
  const total = ({ sent }: Loaded) => Object.values(sent).reduce((sum, size) => sum + size, 0);

  it('ask for the page alone the second time, and for the changed files after an update', async () => {
    const { slug, update } = await publish();
    const context = await openProfile();
    try {
      const first = await visit(context, slug, 'one');
      assert.match(first.address, /\/~1\/$/u);
      assert.ok(Object.keys(first.sent).length > pictures);
      const again = await visit(context, slug, 'one');
      assert.ok(Object.keys(again.sent).length <= 3, JSON.stringify(again.sent));
      await update('two');
      const updated = await visit(context, slug, 'two');
      assert.match(updated.address, /\/~2\/$/u);
      const { '/~2/library.js': script = 0, '/~2/engine.wasm': wasm = 0 } = updated.sent;
      assert.ok(script > 0 && script < 3_000, JSON.stringify(updated.sent));
      assert.ok(wasm > 0 && wasm < 3_000, JSON.stringify(updated.sent));
      assert.ok(total(updated) < total(first) / 10, `${total(updated)} of ${total(first)} bytes`);
      const after = await visit(context, slug, 'two');
      assert.ok(Object.keys(after.sent).length <= 3, JSON.stringify(after.sent));
    } finally {
      await context.close();
    }
  });

  it('get unchanged binaries only once, even without compression dictionaries', async () => {
    const { slug, update } = await publish();
    const context = await openProfile({}, [...quickPainting, withoutDictionaries]);
    try {
      await visit(context, slug, 'one');
      await update('two');
      const updated = await visit(context, slug, 'two');
      const { '/~2/level.data': level = 0, '/~2/engine.wasm': wasm = 0 } = updated.sent;
      assert.ok(level < 2_000, JSON.stringify(updated.sent));
      assert.ok(wasm > 300_000, 'the changed one comes whole');
    } finally {
      await context.close();
    }
  });

  it('keep a running game on its version, whatever is published', async () => {
    const { slug, update } = await publish();
    const context = await openProfile();
    try {
      const opened = await context.newPage();
      await opened.goto(`${service.baseUrl}/s/${slug}`);
      const frame = await frameOf(opened);
      await frame.waitForFunction('document.title === "one"');
      await frame.evaluate('window.isSame = true');
      await update('two');
      const library = await frame.evaluate(async () => {
        const byPage = await (await fetch('library.js', { cache: 'reload' })).text();
        const byRoot = await (await fetch('/library.js', { cache: 'reload' })).text();
        return [byPage.slice(-5), byRoot.slice(-5)];
      });
      assert.deepEqual(library, ['one";'.slice(-5), 'one";'.slice(-5)]);
      assert.equal(await frame.evaluate('window.isSame'), true);
      assert.match(frame.url(), /\/~1\/$/u);
    } finally {
      await context.close();
    }
  });
});
