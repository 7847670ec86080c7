import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { type Persona, startService, type TestService } from '../../server/test/service.ts';
import { isSigned, openReceiver, type Receiver } from '../../server/test/webhook-receiver.ts';
import { exitCodes } from '../src/exit-codes.ts';
import { openSpaceFolder, type SpaceFolder } from './space-folder.ts';

/** Runs the commands as a creator does, against the real service. */
describe('spaceport webhooks', () => {
  let service: TestService;
  let receiver: Receiver;
  let creator: Persona;
  let space: SpaceFolder;
  before(async () => {
    receiver = await openReceiver();
    service = await startService({ environment: { FETCH_ALLOW: receiver.address } });
    creator = await service.creator();
  });
  after(async () => {
    await service.close();
    await receiver.close();
  });
  beforeEach(async () => {
    space = await openSpaceFolder(service, creator);
  });
  afterEach(() => space.remove());

  const one = (path: string, events = ['version.live']) => ({ url: receiver.url(path), events });

  test('sets webhooks from a file, lists them, and takes the list back unchanged', async () => {
    assert.match((await space.cli(['webhooks', 'list'])).stdout, /has no webhooks/u);
    space.write('hooks.json', JSON.stringify({ webhooks: [one('/a')] }));
    const set = await space.cli(['webhooks', 'set', 'hooks.json']);
    assert.equal(set.code, 0, set.stderr);
    assert.match(set.stdout, /^Id +State +Events +Address\nwhk_\w+ +on +version\.live +http/u);
    assert.match(set.stdout, /not shown again:\nhttp\S+\n {2}whsec_\S+/u);
    const { document } = await space.json(['webhooks', 'list']);
    assert.deepEqual([document.space, document.webhooks.length], [space.slug, 1]);
    const again = await space.json(['webhooks', 'set', '-'], JSON.stringify(document));
    assert.deepEqual(
      again.document.webhooks.map(({ id, secret }: { id: string; secret: unknown }) => [id, secret]),
      [[document.webhooks[0].id, null]],
    );
    const none = await space.json(['webhooks', 'set', '-'], '{"webhooks":[]}');
    assert.deepEqual(none.document.webhooks, []);
    const wrong = await space.json(
      ['webhooks', 'set', '-'],
      '{"webhooks":[{"url":"http://10.0.0.1/","events":[]}]}',
    );
    assert.deepEqual([wrong.code, wrong.document.error.code], [exitCodes.invalid, 'invalid']);
  });

  test('sends a test event, and sends an event again', async () => {
    const set = await space.json(['webhooks', 'set', '-'], JSON.stringify({ webhooks: [one('/b')] }));
    const [{ id, secret }] = set.document.webhooks;
    assert.match((await space.cli(['webhooks', 'deliveries', id])).stdout, /Nothing was sent to it yet/u);
    const sent = await space.json(['webhooks', 'test', id]);
    assert.equal(sent.document.type, 'webhook.test');
    await service.settle();
    const listed = await space.cli(['webhooks', 'deliveries', id]);
    assert.match(
      listed.stdout,
      new RegExp(`\\n${sent.document.id} +webhook\\.test .* delivered +1 +200 in \\d+ ms$`, 'mu'),
    );
    const resent = await space.cli(['webhooks', 'resend', id, sent.document.id]);
    assert.match(resent.stdout, /is sent\.\n {2}See the result: /u);
    await service.settle();
    const got = receiver.received('/b');
    assert.deepEqual(
      got.map(({ event }) => event.id),
      [sent.document.id, sent.document.id],
    );
    for (const each of got) assert.ok(isSigned(each, secret));
    const gone = await space.json(['webhooks', 'resend', id, 'evt_none']);
    assert.deepEqual([gone.code, gone.document.error.code], [exitCodes.invalid, 'not_found']);
    assert.match(gone.document.error.next, /^See what is there: spaceport webhooks deliveries /u);
  });
});
