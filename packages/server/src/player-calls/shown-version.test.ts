import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { publishFiles, publishLive, smallGame } from '../../test/files.ts';
import { startService, type TestService } from '../../test/service.ts';
import { visitor } from '../../test/visitor.ts';

describe('the version that a space shows', () => {
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  const ask = (space: string) => visitor(service).call('GET', `/api/player/version?space=${space}`);
  const shown = async (space: string) => (await ask(space)).json().version;

  it('is the live one, that of a preview’s link, and the newest of an unlisted page', async () => {
    const creator = await service.creator();
    const { space } = await publishLive(service, creator);
    assert.equal(await shown(space.slug), 1);
    const { previewUrl = '' } = await publishFiles(creator, smallGame, { space: space.slug });
    const [label = ''] = new URL(previewUrl).hostname.split('.');
    assert.deepEqual([await shown(label), await shown(space.slug)], [2, 1]);
    await publishLive(service, creator, smallGame, { space: space.slug });
    assert.equal(await shown(space.slug), 3);
    const { space: unlisted } = await publishFiles({ ...creator, ...service.anonymous }, smallGame);
    assert.equal(await shown(unlisted.slug), 1);
    const url = 'https://game.example/play';
    const { database } = service.service.platform;
    await database.db
      .updateTable('spaces')
      .set({ hosted: 0, url, live_version_id: null })
      .where('slug', '=', space.slug)
      .execute();
    assert.equal(await shown(space.slug), null);
  });

  it('is told of nothing that nobody may open', async () => {
    assert.equal((await ask('never-there')).json().error, 'not_found');
    const { space } = await publishLive(service, await service.creator());
    await service.service.platform.database.db
      .updateTable('spaces')
      .set({ state: 'held' })
      .where('slug', '=', space.slug)
      .execute();
    assert.equal((await ask(space.slug)).json().error, 'space_unavailable');
  });
});
