import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import sharp from 'sharp';
import { browserSetting } from '../../test/browser.ts';
import { listing, publishFiles, publishLive } from '../../test/files.ts';
import { type PageServer, proofTag, startPages } from '../../test/pages.ts';
import type { RawAnswer } from '../../test/raw-http.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';

const game = (colours: string) => ({
  'index.html': `<!doctype html><title>Game</title><body style="margin:0;height:100vh;background:linear-gradient(${colours})">`,
});

describe('the picture of a space', () => {
  let pages: PageServer;
  let service: TestService;
  let creator: Persona;
  before(async () => {
    pages = await startPages();
    service = await startService({
      environment: { BROWSER: browserSetting(), CHECK_SECONDS: '25', FETCH_ALLOW: pages.address },
    });
    creator = await service.creator();
  });
  after(async () => {
    await service.close();
    await pages[Symbol.asyncDispose]();
  });

  const space = async (slug: string) => (await creator.call('GET', `/api/spaces/${slug}`)).json();
  const version = async (id: string) => (await creator.call('GET', `/api/v1/hosting/versions/${id}`)).json();
  const small = (url: string) => url.replace('.webp', '-small.webp');

  /**
   * Returns the width and height in the header of a WebP picture, which has a simple or an extended format.
   */
  function sizeOf({ body }: RawAnswer): string {
    assert.equal(body.subarray(0, 4).toString() + body.subarray(8, 15).toString(), 'RIFFWEBPVP8');
    return body.subarray(12, 16).toString() === 'VP8X'
      ? `${body.readUIntLE(24, 3) + 1}x${body.readUIntLE(27, 3) + 1}`
      : `${body.readUInt16LE(26)}x${body.readUInt16LE(28)}`;
  }

  /** Returns the mean red, green and blue of all pixels. */
  async function meanOf(webp: Buffer): Promise<number[]> {
    return (await sharp(webp).stats()).channels.map(({ mean }) => Math.round(mean));
  }

  it('is taken when a version goes live, in two sizes, and says what it shows', async () => {
    const { space: made, version: first } = await publishLive(service, creator, game('teal, navy'));
    const { clip } = await space(made.slug);
    assert.deepEqual([clip.width, clip.height, clip.take], [1280, 720, 1]);
    assert.equal((await version(first.id)).shownOnTake, 1);

    const large = await service.get(clip.url);
    assert.equal(large.status, 200);
    assert.equal(sizeOf(large), '1280x720');
    assert.equal(sizeOf(await service.get(small(clip.url))), '640x360');
    assert.equal(large.headers['content-type'], 'image/webp');
    assert.equal(large.headers['x-content-type-options'], 'nosniff');
    assert.match(String(large.headers['cache-control']), /public.*immutable/u);
    assert.match(String(large.headers['content-security-policy']), /sandbox/u);

    const { version: second } = await publishLive(service, creator, game('maroon, gold'), {
      space: made.slug,
    });
    assert.equal((await space(made.slug)).clip.take, 2);
    assert.equal((await version(second.id)).shownOnTake, 2);
    assert.equal((await version(first.id)).shownOnTake, 1);
    const other = await service.get((await space(made.slug)).clip.url);
    assert.notDeepEqual(other.body, large.body);
  });

  it('is not taken of a preview', async () => {
    const { space: made, version: preview } = await publishFiles(creator, game('teal, navy'));
    await service.settle();
    assert.equal((await space(made.slug)).clip, null);
    assert.equal((await version(preview.id)).shownOnTake, undefined);
  });

  it('waits until something is drawn, and clicks once when the game starts by a click', async () => {
    const late = `<!doctype html><body><script>setTimeout(() => { document.body.style = 'height:100vh;background:linear-gradient(teal, navy)'; }, 3000)</script>`;
    const { space: slow } = await publishLive(service, creator, { 'index.html': late });
    assert.equal((await space(slow.slug)).clip.take, 1);
    const click = `<!doctype html><body style="height:100vh"><script>onclick = ({ isTrusted }) => { document.body.style.background = isTrusted && 'linear-gradient(teal, navy)'; }</script>`;
    const started = await publishLive(service, creator, { 'index.html': click }, { start: 'click' });
    assert.equal((await space(started.space.slug)).clip.take, 1);
  });

  it('is taken at the second that its creator chose, also for later versions', async () => {
    // Something is drawn at once, and the game itself a second later.
    const loading = (colours: string) => ({
      'index.html': `<!doctype html><body style="margin:0;height:100vh;background:linear-gradient(45deg,gray,silver)"><script>
        setTimeout(() => { document.body.style.background = 'linear-gradient(${colours})'; }, 1000)</script>`,
    });
    const { space: made } = await publishLive(service, creator, loading('teal, navy'));
    const asked = await creator.call('POST', '/api/spaces/recapture', { slug: made.slug, after_seconds: 3 });
    assert.deepEqual([asked.status, asked.json().after_seconds], [202, 3]);
    await service.settle();
    const first = (await service.get((await space(made.slug)).clip.url)).body;
    const [red = 255, , blue = 0] = await meanOf(first);
    assert.ok(red < 40 && blue > 90, `${red}, ${blue}: what is drawn while it loads is grey`);

    await publishLive(service, creator, loading('maroon, gold'), { space: made.slug });
    const later = await meanOf((await service.get((await space(made.slug)).clip.url)).body);
    assert.ok((later[0] ?? 0) > 120 && (later[2] ?? 255) < 40, later.join());
    const kept = await creator.call('GET', `/api/spaces/${made.slug}/takes`);
    assert.equal(kept.json().after_seconds, 3);
  });

  it('stays as it was when the new version draws nothing', async () => {
    const { space: made } = await publishLive(service, creator, game('teal, navy'));
    await publishLive(service, creator, { 'index.html': '<!doctype html><body>' }, { space: made.slug });
    assert.equal((await space(made.slug)).clip.take, 1);
  });

  it('is not taken of a few words on one colour, so that the drawn cover is shown', async () => {
    const words = { 'index.html': '<!doctype html><body style="margin:8px">Loading engine…' };
    const { space: made, version: live } = await publishLive(service, creator, words);
    assert.equal((await space(made.slug)).clip, null);
    // The check saw that the page is not blank.
    assert.equal((await version(live.id)).report.page.blank, false);
  });

  it('is taken of a listed page, and again at its new address when it moves', async () => {
    const head = `${proofTag(creator.handle)}<style>body { background: linear-gradient(teal, navy); height: 100vh }</style>`;
    const url = pages.put('/listed', head);
    const answer = await creator.call('POST', '/api/spaces', { url, ...listing });
    const { slug } = answer.json();
    await service.settle();
    const { clip } = await space(slug);
    assert.equal(clip.take, 1);
    assert.equal(sizeOf(await service.get(clip.url)), '1280x720');
    const before = pages.asked('/moved');
    await creator.call('POST', `/api/spaces/${slug}/move`, { url: pages.put('/moved', head) });
    await service.settle();
    assert.equal((await space(slug)).clip.take, 2);
    assert.equal(pages.asked('/moved') - before, 2);
  });

  it('is not found under any other name than its own', async () => {
    for (const path of [
      '/clips/x/1.webp',
      '/clips/x/0.webp',
      '/clips/x/1.png',
      '/clips/checks/1.webp',
      '/clips/..%2fx/1.webp',
      '/clips/a%00b/1.webp',
    ])
      assert.equal((await service.get(service.baseUrl + path)).status, 404, path);
  });
});
