import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { goLive } from '@spaceport/client/go-live';
import { publishFiles } from '../../test/files.ts';
import type { RawAnswer } from '../../test/raw-http.ts';
import { startService, type TestService } from '../../test/service.ts';
import { withoutModule } from '../../test/without-module.ts';
import '../../test/one-engine.ts';

/** Returns the status and the code of an answer of the hosting API. */
const codeIn = (answer: RawAnswer) => [answer.status, answer.json().code];

describe('the files of a version', () => {
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  it('are listed with the changes since the previous finished version, or since any other', async () => {
    const creator = await service.creator();
    const first = await publishFiles(creator, { 'index.html': 'one', 'a.js': '1', 'b.js': '2' });
    const { slug } = first.space;
    const second = await publishFiles(
      creator,
      { 'index.html': 'one', 'a.js': '9', 'c.js': '3' },
      { space: slug },
    );
    const third = await publishFiles(creator, { 'index.html': 'one', 'b.js': '2' }, { space: slug });
    const read = async (id: string, query = '') =>
      (await creator.call('GET', `/api/v1/hosting/versions/${id}/files${query}`)).json();

    const of = await read(second.version.id);
    assert.deepEqual(
      of.files.map(({ path, size }: { path: string; size: number }) => [path, size]),
      [
        ['a.js', 1],
        ['c.js', 1],
        ['index.html', 3],
      ],
    );
    assert.match(of.files[0].sha256, /^[0-9a-f]{64}$/u);
    assert.deepEqual(of.diff, {
      against: 1,
      added: ['c.js'],
      changed: ['a.js'],
      removed: ['b.js'],
      unchanged: 1,
    });
    assert.deepEqual((await read(first.version.id)).diff, {
      against: null,
      added: ['a.js', 'b.js', 'index.html'],
      changed: [],
      removed: [],
      unchanged: 0,
    });
    assert.deepEqual((await read(third.version.id, '?against=1')).diff.removed, ['a.js']);
    const against = async (number: number) =>
      codeIn(
        await creator.call('GET', `/api/v1/hosting/versions/${third.version.id}/files?against=${number}`),
      );
    assert.deepEqual(await against(9), [404, 'not_found']);
    assert.deepEqual(await against(2 ** 31), [422, 'invalid_request']);
  });

  it('can go live with the version’s fields and declarations, without another upload', async () => {
    const creator = await service.creator();
    const { space } = await publishFiles(creator, { 'index.html': 'first' });
    const preview = await publishFiles(
      creator,
      { 'play.html': 'one', 'a.js': '1' },
      { space: space.slug, fields: { title: 'Moon Hopper II' }, entry: 'play.html', spa: true },
    );
    const live = await goLive(
      creator.client,
      { versionId: preview.version.id, space: space.slug },
      { wait: false },
    );
    await service.settle();
    assert.deepEqual(live.uploaded, { files: 0, bytes: 0 });
    const { status, number } = await creator.client.readVersion({ params: { id: live.version.id } });
    assert.deepEqual([status, number], ['live', 3]);
    const { title, url } = await creator.client.readSpace({ params: { slug: space.slug } });
    assert.equal(title, 'Moon Hopper II');
    assert.equal(withoutModule((await service.get(`${url}some/path`)).text()), 'one');
  });

  it('are listed for the creator only', async () => {
    const creator = await service.creator();
    const { version } = await publishFiles(creator, { 'index.html': 'one' });
    const path = `/api/v1/hosting/versions/${version.id}/files`;
    assert.deepEqual(codeIn(await (await service.creator()).call('GET', path)), [404, 'not_found']);
    assert.deepEqual(codeIn(await service.anonymous.call('GET', path)), [401, 'unauthorized']);
    const operator = await service.creator(undefined, { operator: true });
    assert.deepEqual(codeIn(await operator.call('GET', path)), [404, 'not_found']);
    // An operator sees only versions whose review was requested.
    const reviewed = await operator.call('GET', `/api/operator/reviews/${version.id}/files`);
    assert.deepEqual([reviewed.status, reviewed.json().error], [404, 'not_found']);
  });
});
