import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Persona, startService, type TestService } from '../../server/test/service.ts';
import { exitCodes } from '../src/exit-codes.ts';
import { openSpaceFolder, type SpaceFolder } from './space-folder.ts';

describe('spaceport domain', () => {
  let service: TestService;
  let creator: Persona;
  let space: SpaceFolder;
  before(async () => {
    const nothing = async () => [];
    const resolver = { txt: nothing, cname: nothing, addresses: nothing };
    service = await startService({ environment: { CUSTOM_DOMAINS: 'on' }, resolver });
    creator = await service.creator();
    space = await openSpaceFolder(service, creator);
  });
  after(async () => {
    space.remove();
    await service.close();
  });

  test('sets the host name, shows it with its DNS records, and removes it', async () => {
    const none = await space.cli(['domain', 'show']);
    assert.equal(none.code, exitCodes.invalid);
    assert.match(none.stderr, /\nSet one: spaceport domain set HOST\. Or check "space"/u);
    const set = await space.cli(['domain', 'set', 'games.maker.example']);
    assert.equal(set.code, 0, set.stderr);
    assert.match(set.stdout, /waits for its records at games\.maker\.example/u);
    assert.match(set.stdout, /TXT +_spaceport\.games\.maker\.example +spaceport-space=[0-9a-f]{32}/u);
    await service.settle();
    const { document } = await space.json(['domain', 'show']);
    assert.deepEqual([document.space, document.state], [space.slug, 'waiting']);
    assert.match(document.reason, /no TXT record/u);
    assert.match((await space.cli(['domain', 'remove'])).stdout, /no own host name any more/u);
    assert.equal((await space.cli(['domain', 'show'])).code, exitCodes.invalid);
  });
});
