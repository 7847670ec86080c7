import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { decodeProtectedHeader } from 'jose';
import { publishLive } from '../../test/files.ts';
import { startService, type TestService } from '../../test/service.ts';
import { ServiceError } from '../platform/errors.ts';
import { createPlayers } from './players.ts';

const keySet = '/.well-known/jwks.json';
const tokenPath = '/api/players/token';

describe('the key set', () => {
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  const kidsNow = async (): Promise<string[]> =>
    (await service.anonymous.call('GET', keySet)).json().keys.map(({ kid }: { kid: string }) => kid);
  const rows = () =>
    service.service.platform.database.db
      .selectFrom('player_keys')
      .selectAll()
      .orderBy('signs_from')
      .execute();

  it('is the same from nodes that create the first keys at once', async () => {
    assert.deepEqual(await rows(), []);
    const early = createPlayers(service.service.platform).keys;
    assert.equal(await early.find('none'), undefined);
    const nodes = Array.from({ length: 6 }, () => createPlayers(service.service.platform).keys);
    const sets = await Promise.all(nodes.map((node) => node.published()));
    const signing = await Promise.all(nodes.map((node) => node.signing()));
    assert.equal((await rows()).length, 2);
    for (const set of sets) assert.deepEqual(set, sets[0]);
    assert.equal(new Set(signing.map(({ kid }) => kid)).size, 1);
    assert.ok(await early.find(signing[0]?.kid ?? ''), 'also for a node that looked before there were any');
  });

  it('is public, cacheable, and contains no private key', async () => {
    const answer = await service.anonymous.call('GET', keySet);
    assert.equal(answer.status, 200);
    assert.equal(answer.headers['cache-control'], 'public, max-age=600');
    for (const key of answer.json().keys) {
      assert.deepEqual(Object.keys(key).sort(), ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
    }
    const { etag = '' } = answer.headers;
    const again = await service.anonymous.call('GET', keySet, undefined, { 'if-none-match': etag });
    assert.equal(again.status, 304);
    for (const { private_jwk } of await rows()) {
      const { d } = JSON.parse(private_jwk);
      assert.ok(d.length > 40 && !answer.text().includes(d));
    }
  });

  it('contains a key hours before it signs, and until its last token has ended', async () => {
    const creator = await service.creator();
    const { slug } = (await publishLive(service, creator)).space;
    const sign = async () => {
      const { token } = (await creator.call('POST', tokenPath, { space: slug })).json();
      return { token: String(token), kid: String(decodeProtectedHeader(String(token)).kid) };
    };
    const holds = async (token: string) => {
      const { id } = await service.service.platform.database.db
        .selectFrom('spaces')
        .select('id')
        .where('slug', '=', slug)
        .executeTakeFirstOrThrow();
      const naming = { player_token: token, env: 'live', space: { id, slug } } as const;
      const { database } = service.service.platform;
      const [player] = await createPlayers(service.service.platform).resolveAll(database.db, [naming]);
      return player !== undefined && !(player instanceof ServiceError) && player.handle === creator.handle;
    };
    const first = await sign();
    const before = await kidsNow();
    const [, coming] = before;
    assert.equal(before[0], first.kid);
    // Looks just before the change, and just after it.
    service.clock.advance({ days: 29, hours: 23, minutes: 59 });
    const last = await sign();
    assert.equal(last.kid, first.kid);
    assert.deepEqual(await kidsNow(), before);
    service.clock.advance({ minutes: 2 });
    const second = await sign();
    assert.equal(second.kid, coming);
    const between = await kidsNow();
    assert.deepEqual(between.slice(0, 2), before);
    assert.equal(between.length, 3);
    assert.ok(await holds(last.token));
    service.clock.advance({ minutes: 56 });
    assert.ok(await holds(last.token));
    service.clock.advance({ minutes: 30 });
    assert.deepEqual(await kidsNow(), between.slice(1));
    // The private half of an ended key is deleted from the database too.
    await service.service.sweep();
    assert.deepEqual(
      (await rows()).map(({ kid }) => kid),
      between.slice(1),
    );
  });
});
