import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createVersion } from '@spaceport/contract/hosting';
import { audienceOf } from '@spaceport/contract/openapi';
import type { Operation } from '@spaceport/contract/operation';
import { fileEntries, publishFiles, publishLive, smallGame } from './files.ts';
import { type Persona, startService, type TestService } from './service.ts';
import { everyOperation } from './valid-requests.ts';
import './one-engine.ts';

/** Operations whose example cannot succeed on a service alone, each with what it needs. */
const needsMore: Readonly<Record<string, string>> = {
  exchangeLogin: 'a device code that a person has approved',
  listSpace: 'a page on the public web',
  verifySpace: 'a page on the public web',
  moveSpace: 'a page on the public web',
  recaptureSpace: 'a browser',
  changeError: 'an error that a player had',
  chooseCover: 'a picture that a browser took',
};

/** Sends the examples of the API description unchanged to a service that has the objects that they name. */
describe('the example requests of the contract', () => {
  let service: TestService;
  let mira: Persona;
  let secret: string;
  let versionId: string;
  before(async () => {
    const nothing = async () => [];
    const resolver = { txt: nothing, cname: nothing, addresses: nothing };
    service = await startService({ environment: { CUSTOM_DOMAINS: 'on' }, resolver });
    mira = await service.creator('mira');
    await service.creator('ada');
    const { space } = await publishLive(service, mira, smallGame, {
      fields: { title: 'Moon Hopper', space_type: 'game', devices: ['desktop'] },
    });
    assert.equal(space.slug, 'moon-hopper');
    await publishLive(service, mira, { ...smallGame, 'more.txt': 'more' }, { space: space.slug });
    versionId = (await publishFiles(mira, smallGame, { space: space.slug })).version.id;
    secret = (await mira.call('POST', '/api/spaces/moon-hopper/secret')).json().secret;
    await mira.call('PUT', '/api/spaces/moon-hopper/boards', { boards: [{ key: 'high' }] });
    await mira.call('PUT', '/api/spaces/moon-hopper/achievements', {
      stats: [{ key: 'coins', op: 'add' }],
      achievements: [{ key: 'first-win' }],
    });
  });
  after(() => service.close());

  const headersOf = ({ credential }: Operation): Record<string, string> => {
    if (credential === 'secret') return { authorization: `Bearer ${secret}` };
    return credential === 'none' ? {} : { authorization: `Bearer ${mira.token}` };
  };

  const examples = everyOperation.filter(
    (operation) => operation.example?.body !== undefined && audienceOf(operation) === 'everyone',
  );

  it('exist for more than 20 operations', () => assert.ok(examples.length > 20, String(examples.length)));

  for (const operation of examples) {
    const { id, method, path, example } = operation;
    const lacks = needsMore[id];
    it(`of ${id} ${lacks === undefined ? 'runs as it stands' : `needs ${lacks}, and nothing else`}`, async () => {
      const filled = path.replace('{slug}', 'moon-hopper').replace('{id}', versionId);
      const answer = await service.anonymous.call(method, filled, example?.body, headersOf(operation));
      if (lacks === undefined) assert.ok(answer.status < 300, `${answer.status} ${answer.text()}`);
      // The answer may complain only about what is missing. The body itself is valid.
      else assert.equal(answer.json().issues?.[0]?.path ?? 'url', 'url', answer.text());
    });
  }

  it('have the hash and the size of a file that can be uploaded', async () => {
    const page = '<!doctype html><title>Moon Hopper</title>\n';
    const [entry] = fileEntries({ 'index.html': page });
    assert.deepEqual(createVersion.example.body.files, [entry]);
  });
});
