import assert from 'node:assert/strict';
import { it } from 'node:test';
import { publishLive } from '../../test/files.ts';
import { startService } from '../../test/service.ts';
import '../../test/one-engine.ts';

it('a publish reads each file from the store once, for the check and for the search for paths', async (context) => {
  const service = await startService();
  context.after(() => service.close());
  const creator = await service.creator();
  const { store } = service.service.platform;
  const opens = context.mock.method(store, 'open');
  const sizes = context.mock.method(store, 'size');
  // The files are too short to be compressed, which would read them again.
  const files = {
    'index.html': '<!doctype html><title>Once</title><script src="game.js"></script>',
    'game.js': 'document.title += " more";',
    'data.bin': 'not a text',
  };
  const { version } = await publishLive(service, creator, files);
  assert.equal((await creator.client.readVersion({ params: { id: version.id } })).status, 'live');
  assert.equal(opens.mock.callCount(), Object.keys(files).length);
  assert.equal(sizes.mock.callCount(), 0);
});
