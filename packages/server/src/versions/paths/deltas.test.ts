import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { zstdDecompressSync } from 'node:zlib';
import { type Files, publishLive, sha256 } from '../../../test/files.ts';
import { type Persona, startService, type TestService } from '../../../test/service.ts';
import { BlobGone } from '../../platform/blobs/blob-store.ts';
import { collectBlobs } from '../collector.ts';

/** Text that packs badly, so that a delta is worth having. */
const words = (count: number) => randomBytes(count).toString('base64');
const bytes = randomBytes(60_000);
const script = `/* ${words(50_000)} */`;
const game = (mark: string, more: Files = {}): Files => ({
  'index.html': `<!doctype html><title>${mark}</title><script src="game.js"></script>`,
  'game.js': `${script}document.title = "${mark}";`,
  'engine.wasm': Buffer.concat([bytes.subarray(0, 30_000), Buffer.from(mark), bytes.subarray(30_000)]),
  'same.js': `${script}1;`,
  ...more,
});
const id = (content: string | Uint8Array) => `:${createHash('sha256').update(content).digest('base64')}:`;

describe('a changed file', () => {
  let service: TestService;
  let creator: Persona;
  before(async () => {
    service = await startService();
    creator = await service.creator();
  });
  after(() => service.close());

  const ask = (
    slug: string,
    path: string,
    dictionary: string | Uint8Array,
    codings = 'gzip, br, zstd, dcb, dcz',
  ) =>
    service.get(service.service.platform.urls.live(slug) + path, {
      headers: { 'accept-encoding': codings, 'available-dictionary': id(dictionary) },
    });
  const publish = async (...marks: string[]) => {
    let slug: string | undefined;
    for (const mark of marks)
      slug = (await publishLive(service, creator, game(mark), slug === undefined ? {} : { space: slug }))
        .space.slug;
    return slug ?? '';
  };
  const file = (mark: string, path: string) => Buffer.from(game(mark)[path] ?? '');

  it('is sent as a delta to clients with any of the last three versions', async () => {
    const slug = await publish('one', 'two', 'three', 'four', 'five');
    for (const path of ['game.js', 'engine.wasm']) {
      for (const mark of ['two', 'three', 'four']) {
        const answer = await ask(slug, `~5/${path}`, file(mark, path));
        assert.equal(answer.headers['content-encoding'], 'dcz', `${path} ${mark}`);
        assert.ok(answer.body.length < 2_000, String(answer.body.length));
        assert.equal(answer.headers['use-as-dictionary'], `match="/~*/${path}"`);
        assert.equal(answer.headers.vary, 'Accept-Encoding, Available-Dictionary');
        assert.equal(answer.headers['cache-control'], 'public, max-age=31536000, immutable');
        assert.deepEqual(
          zstdDecompressSync(answer.body, { dictionary: file(mark, path) }),
          file('five', path),
        );
      }
      const old = await ask(slug, `~5/${path}`, file('one', path));
      assert.notEqual(old.headers['content-encoding'], 'dcz');
    }
    const same = await ask(slug, '~5/same.js', file('one', 'same.js'));
    assert.equal(same.headers['content-encoding'], 'dcz');
    assert.ok(same.body.length < 300, String(same.body.length));
  });

  it('is sent whole to clients without an earlier version or without support for deltas', async () => {
    const slug = await publish('one', 'two');
    const path = '~2/game.js';
    const plain = async (dictionary: string | Uint8Array, codings?: string) => {
      const answer = await ask(slug, path, dictionary, codings);
      assert.equal(answer.status, 200);
      assert.notEqual(answer.headers['content-encoding'], 'dcz');
    };
    await plain('another one');
    await plain(file('one', 'game.js'), 'gzip, br, zstd');
    await plain(file('one', 'game.js'), 'gzip, *');
    await plain(file('one', 'game.js'), 'dcz;q=0');
    const { live } = service.service.platform.urls;
    for (const dictionary of ['', 'x', '::', id('x').slice(1), `${id('x')}, ${id('y')}`, ':AAAA:']) {
      const answer = await service.get(live(slug) + path, {
        headers: { 'accept-encoding': 'dcz', 'available-dictionary': dictionary },
      });
      assert.equal(answer.text(), file('two', 'game.js').toString(), dictionary);
    }
    // A range request gets a part of the whole file.
    const part = await service.get(live(slug) + path, {
      headers: {
        'accept-encoding': 'dcz',
        'available-dictionary': id(file('one', 'game.js')),
        range: 'bytes=0-1',
      },
    });
    assert.deepEqual([part.status, part.text()], [206, '/*']);
  });

  it('is sent whole when the version has no address of its own', async () => {
    const { space } = await publishLive(service, creator, game('one'), { version_paths: false });
    await publishLive(service, creator, game('two'), { space: space.slug, version_paths: false });
    const answer = await ask(space.slug, 'game.js', file('one', 'game.js'));
    assert.equal(answer.status, 200);
    assert.notEqual(answer.headers['content-encoding'], 'dcz');
    assert.equal(answer.headers['use-as-dictionary'], undefined);
  });

  it('loses its deltas when it is deleted for good', async () => {
    const slug = await publish('six', 'seven');
    const { database, store } = service.service.platform;
    const deltas = () =>
      database.db
        .selectFrom('blob_deltas')
        .selectAll()
        .where('hash', '=', sha256(file('seven', 'game.js')))
        .execute();
    const [delta] = await deltas();
    assert.ok(delta);
    assert.equal(await store.size(delta.key), delta.size);
    assert.equal((await creator.call('DELETE', `/api/spaces/${slug}`)).status, 200);
    for (let day = 0; day < 12; day++) {
      service.clock.advance({ days: 1 });
      await service.service.sweep();
      await collectBlobs(service.service.platform);
    }
    assert.deepEqual(await deltas(), []);
    await assert.rejects(store.size(delta.key), BlobGone);
  });
});
