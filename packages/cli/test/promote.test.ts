import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { publishLive, smallGame } from '../../server/test/files.ts';
import { type Persona, startService, type TestService } from '../../server/test/service.ts';
import { exitCodes } from '../src/exit-codes.ts';
import { openSpaceFolder, type SpaceFolder } from './space-folder.ts';

describe('spaceport promote and spaces', () => {
  let service: TestService;
  let creator: Persona;
  let space: SpaceFolder;
  before(async () => {
    service = await startService();
    creator = await service.creator();
  });
  after(() => service.close());
  beforeEach(async () => {
    space = await openSpaceFolder(service, creator);
  });
  afterEach(() => space.remove());

  test('publish a preview live as it was seen, whatever has become of its folder', async () => {
    space.write('index.html', '<!doctype html><title>Seen</title>');
    assert.equal((await space.cli(['publish'])).code, 0);
    space.write('index.html', '<!doctype html><title>Changed since</title>');
    const { code, document } = await space.json(['promote', '2']);
    assert.equal(code, 0, JSON.stringify(document));
    assert.deepEqual([document.status, document.version.number, document.uploaded.files], ['live', 3, 0]);
    assert.match((await service.get(document.space.url)).text(), /<title>Seen</u);
    const told = await space.cli(['promote', 'v2', '--no-wait']);
    assert.match(told.stdout, new RegExp(`^Checking: version 4 of ${space.slug}\n`, 'u'));
    assert.match(told.stderr, /^Nothing to upload/u);
  });

  test('publish no version of another space', async () => {
    const other = await publishLive(service, creator, { ...smallGame, 'other.txt': '1' });
    for (const name of ['7', other.version.id]) {
      const { code, document } = await space.json(['promote', name]);
      assert.deepEqual([code, document.error.code], [exitCodes.invalid, 'not_found'], name);
    }
  });

  test('list all spaces, and those that can be restored', async () => {
    const { stdout } = await space.cli(['spaces']);
    const [header = '', first = ''] = stdout.split('\n');
    assert.match(header, /^Space +Title +State +Live version +Plays +Page$/u);
    assert.match(first, new RegExp(`^${space.slug} +\\S.* listed +1 +0 +http.*/s/${space.slug}$`, 'u'));
    assert.equal((await space.cli(['spaces', '--deleted'])).stdout, 'No deleted space can be restored.\n');
    await space.cli(['delete', '--yes']);
    const { document } = await space.json(['spaces', '--deleted']);
    assert.deepEqual(
      document.spaces.map(({ slug }: { slug: string }) => slug),
      [space.slug],
    );
    const left = (await space.json(['spaces'])).document.spaces;
    assert.ok(left.every(({ slug }: { slug: string }) => slug !== space.slug));
  });
});
