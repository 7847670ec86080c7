import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { maxSaveBytes, maxSaveSlots } from '@spaceport/contract/saves';
import { storageSlot } from '@spaceport/contract/storage-mirror';
import { codeOf } from '../../test/answers.ts';
import { publishFiles, publishLive, smallGame } from '../../test/files.ts';
import { accountPlayer, guestPlayer, nobodyPlayer, type PlayingVisitor } from '../../test/played.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';

describe('a save of a player in a space', () => {
  let service: TestService;
  let creator: Persona;
  let slug: string;
  let ada: PlayingVisitor;
  before(async () => {
    service = await startService({ environment: { GUESTS_PER_HOUR: '1000', SIGN_UPS_PER_HOUR: '1000' } });
    creator = await service.creator(undefined, { operator: true });
    slug = (await publishLive(service, creator)).space.slug;
    ada = await accountPlayer(service, 'ada');
  });
  after(() => service.close());

  const path = (slot: string, space = slug) => `/api/player/saves/${slot}?space=${space}`;
  const ifMatch = (version: number | string) => ({ 'if-match': `"${version}"` });
  const put = (who: PlayingVisitor, slot: string, body: unknown, base?: number, space?: string) =>
    who.call('PUT', path(slot, space), body, base === undefined ? {} : ifMatch(base));
  const read = (who: PlayingVisitor, slot: string, space?: string) => who.call('GET', path(slot, space));
  const remove = (who: PlayingVisitor, slot: string, base?: number) =>
    who.call('DELETE', path(slot), undefined, base === undefined ? {} : ifMatch(base));
  const list = async (who: PlayingVisitor, space = slug) => {
    const answer = await who.call('GET', `/api/player/saves?space=${space}`);
    assert.equal(answer.status, 200, answer.text());
    return answer.json().saves;
  };
  async function saved(who: PlayingVisitor, slot: string, body: unknown, base?: number, space?: string) {
    const answer = await put(who, slot, body, base, space);
    assert.equal(answer.status, 200, answer.text());
    return answer.json() as { slot: string; version: number; at: string; device: string };
  }

  for (const [name, make] of [
    ['an account', () => accountPlayer(service)],
    ['a guest', async () => guestPlayer(service)],
  ] as const) {
    it(`is read back as it was saved, as JSON or as bytes: of ${name}`, async () => {
      const who = await make();
      assert.deepEqual(await list(who), []);
      assert.deepEqual(codeOf(await read(who, 'main')), [404, 'not_found']);
      const data = { level: 3, seen: ['a', null, false], name: 'Ünï «\\"» 🚀', '': 0.1 };
      const first = await saved(who, 'main', { data, device: 'Firefox on Linux' });
      assert.deepEqual([first.slot, first.device], ['main', 'Firefox on Linux']);
      const base64 = randomBytes(1_000).toString('base64');
      await saved(who, 'bytes', { base64 });
      await saved(who, 'no-bytes', { base64: '' });
      assert.equal((await read(who, 'no-bytes')).json().base64, '');
      for (const falsy of [null, 0, '', false]) {
        await saved(who, 'falsy', { data: falsy }, (await read(who, 'falsy')).json().version);
        assert.equal((await read(who, 'falsy')).json().data, falsy);
      }
      const answer = await read(who, 'main');
      assert.deepEqual(answer.json(), { ...first, data });
      assert.equal(answer.headers.etag, `"${first.version}"`);
      assert.equal((await read(who, 'bytes')).json().base64, base64);
      const [bytes, , main] = await list(who);
      assert.deepEqual([bytes.type, bytes.bytes, main.type], ['bytes', 1_000, 'json']);
      assert.equal(main.bytes, Buffer.byteLength(JSON.stringify(data)));
      assert.ok(!('data' in main));
      const found = async (slot: string) =>
        (await who.call('GET', `/api/player/saves?space=${slug}&slot=${slot}`)).json().saves;
      assert.deepEqual(await found('main'), [{ ...main, data }]);
      assert.deepEqual(await found('bytes'), [{ ...bytes, base64 }]);
      assert.deepEqual(await found('none'), []);
    });

    it(`is never replaced by a write that does not know its version: of ${name}`, async () => {
      const who = await make();
      const first = await saved(who, 'main', { data: 1 });
      for (const base of [undefined, 0, first.version - 1, first.version + 1]) {
        const refused = await put(who, 'main', { data: `from ${base}` }, base);
        assert.deepEqual(codeOf(refused), [409, 'conflict']);
        assert.deepEqual(refused.json().theirs, { ...first, data: 1 });
      }
      for (const base of [undefined, first.version - 1])
        assert.deepEqual(codeOf(await remove(who, 'main', base)), [409, 'conflict']);
      const second = await saved(who, 'main', { data: 2 }, first.version);
      assert.ok(second.version > first.version);
      assert.deepEqual(codeOf(await put(who, 'main', { data: 3 }, first.version)), [409, 'conflict']);
      assert.equal((await read(who, 'main')).json().data, 2);
    });

    it(`is deleted, and its version numbers are never used again: of ${name}`, async () => {
      const who = await make();
      // A later version is higher by its time alone.
      await service.clock.standing(async () => {
        const first = await saved(who, 'main', { data: 1 });
        assert.deepEqual((await remove(who, 'main', first.version)).json(), { deleted: true });
        assert.deepEqual(codeOf(await read(who, 'main')), [404, 'not_found']);
        assert.deepEqual((await remove(who, 'main')).json(), { deleted: true });
        const late = await put(who, 'main', { data: 'late' }, first.version);
        assert.deepEqual([late.status, late.json().theirs], [409, null]);
        const second = await saved(who, 'main', { data: 2 });
        assert.ok(second.version > first.version);
      });
    });
  }

  it('gets the same answer when a write is sent twice', async () => {
    const who = await accountPlayer(service);
    const first = await saved(who, 'main', { data: { a: 1 } });
    assert.deepEqual(await saved(who, 'main', { data: { a: 1 } }), first);
    const second = await saved(who, 'main', { data: { a: 2 } }, first.version);
    assert.deepEqual(await saved(who, 'main', { data: { a: 2 } }, first.version), second);
  });

  it('accepts one of many writes that are based on the same version', async () => {
    const who = guestPlayer(service);
    const first = await saved(who, 'main', { data: 0 });
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) => put(who, 'main', { data: index + 1 }, first.version)),
    );
    const statuses = answers.map(({ status }) => status);
    assert.deepEqual(statuses.toSorted(), [200, ...Array(11).fill(409)]);
    const now = (await read(who, 'main')).json();
    assert.equal(now.data, statuses.indexOf(200) + 1);
    for (const answer of answers)
      if (answer.status === 409) assert.equal(answer.json().theirs.data, now.data);
  });

  it('belongs to one player, in one space, live or in the sandbox', async () => {
    const other = (await publishLive(service, creator)).space.slug;
    const { previewUrl } = await publishFiles(creator, smallGame, { space: slug });
    const label = new URL(previewUrl ?? '').hostname.split('.')[0] ?? '';
    const eve = await accountPlayer(service);
    await saved(ada, 'mine', { data: 'ada' });
    await saved(ada, 'mine', { data: 'elsewhere' }, undefined, other);
    await saved(ada, 'mine', { data: 'sandbox' }, undefined, label);
    for (const who of [eve, guestPlayer(service), nobodyPlayer(service)]) {
      assert.deepEqual(await list(who), []);
      assert.deepEqual(codeOf(await read(who, 'mine')), [404, 'not_found']);
    }
    for (const [space, data] of [
      [slug, 'ada'],
      [other, 'elsewhere'],
      [label, 'sandbox'],
    ] as const)
      assert.equal((await read(ada, 'mine', space)).json().data, data);
    const { version } = (await read(ada, 'mine')).json();
    assert.equal((await remove(ada, 'mine', version)).status, 200);
    for (const [space, slots] of [
      [slug, []],
      [other, ['mine']],
      [label, ['mine']],
    ] as const)
      assert.deepEqual(
        (await list(ada, space)).map(({ slot }: { slot: string }) => slot),
        slots,
      );
  });

  it('is limited in slots and bytes, and of a guest in total bytes', async () => {
    const who = await accountPlayer(service);
    const largest = 'x'.repeat(maxSaveBytes - 2);
    for (let slot = 0; slot < maxSaveSlots; slot++) await saved(who, `s${slot}`, { data: largest });
    // The slot for the storage of the space's page is not counted, and is deleted and
    // restored like the others.
    const kept = await saved(who, storageSlot, { data: { entries: [['best', '7']] } });
    assert.deepEqual(codeOf(await put(who, storageSlot, { data: 1 })), [409, 'conflict']);
    assert.equal((await remove(who, storageSlot, kept.version)).status, 200);
    await saved(who, storageSlot, { data: { entries: [] } });
    assert.deepEqual(codeOf(await put(who, '~other', { data: 1 })), [422, 'invalid']);
    const over = await put(who, 'one-more', { data: 1 });
    assert.deepEqual([...codeOf(over), over.json().maxSlots], [413, 'too_large', maxSaveSlots]);
    const { version } = (await read(who, 's0')).json();
    assert.deepEqual(codeOf(await put(who, 's0', { data: `${largest}x` }, version)), [413, 'too_large']);
    const bytes = Buffer.alloc(maxSaveBytes + 1).toString('base64');
    assert.deepEqual(codeOf(await put(who, 's0', { base64: bytes }, version)), [413, 'too_large']);
    await saved(who, 's0', { base64: Buffer.alloc(maxSaveBytes).toString('base64') }, version);

    const guest = guestPlayer(service);
    for (let slot = 0; slot < 4; slot++) await saved(guest, `s${slot}`, { data: largest });
    assert.deepEqual(codeOf(await put(guest, 's4', { data: 1 })), [413, 'too_large']);
    const own = (await read(guest, 's0')).json().version;
    await saved(guest, 's0', { data: 1 }, own);
    await saved(guest, 's4', { data: 1 });
  });

  it('is refused when it is invalid, with the wrong field named', async () => {
    const cases: [unknown, string][] = [
      [{}, 'data'],
      [{ data: 1, base64: '' }, 'data'],
      [{ base64: 'no base64!' }, 'base64'],
      [{ data: 1, device: 'x'.repeat(61) }, 'device'],
      [{ data: 1, extra: 1 }, 'extra'],
      ['{"data": {"deep": [1e999]}}', 'data.deep.0'],
      ['{', ''],
    ];
    for (const [body, where] of cases) {
      const sent = typeof body === 'string' ? body : JSON.stringify(body);
      const raw = await service.get(`${service.baseUrl}${path('bad')}`, {
        method: 'PUT',
        headers: {
          'content-type': 'application/json',
          'sec-fetch-site': 'same-origin',
          cookie: [...ada.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        },
        body: sent,
      });
      assert.deepEqual(codeOf(raw), [422, 'invalid'], sent);
      assert.equal(raw.json().issues[0].path, where, raw.text());
    }
    for (const slot of ['A', '-a', 'a.b', 'a'.repeat(41)])
      assert.deepEqual(codeOf(await put(ada, slot, { data: 1 })), [422, 'invalid']);
    for (const header of ['*', '1', 'W/"1"', '"1", "2"', '"x"', '"01"', '""']) {
      const refused = await ada.call('PUT', path('bad'), { data: 1 }, { 'if-match': header });
      assert.deepEqual(codeOf(refused), [422, 'invalid'], header);
      assert.equal(refused.json().issues[0].path, 'if-match');
    }
    assert.deepEqual(codeOf(await read(ada, 'bad')), [404, 'not_found']);
  });

  it('is accepted only from the service’s own pages, and from players with a key or session', async () => {
    for (const [method, body] of [
      ['PUT', { data: 1 }],
      ['DELETE', undefined],
    ] as const) {
      assert.deepEqual(codeOf(await nobodyPlayer(service).call(method, path('main'), body)), [
        401,
        'unauthorized',
      ]);
      const elsewhere = { 'sec-fetch-site': 'cross-site' };
      assert.deepEqual(codeOf(await ada.call(method, path('main'), body, elsewhere)), [403, 'forbidden']);
    }
    for (const key of ['short', 'a'.repeat(44)])
      assert.deepEqual(codeOf(await read(guestPlayer(service, key), 'main')), [401, 'unauthorized']);
  });

  it('is limited per minute and player', () =>
    service.clock.standing(async () => {
      const [who, guest] = [await accountPlayer(service), guestPlayer(service)];
      for (const player of [who, guest]) {
        const slots = Array.from({ length: 60 }, (_, index) => `s${index % 16}`);
        const answers = await Promise.all(slots.map((slot) => put(player, slot, { data: 1 })));
        assert.ok(answers.every(({ status }) => status === 200));
        const more = await Promise.all([put(player, 's0', { data: 2 }), remove(player, 's1')]);
        for (const answer of more) {
          assert.deepEqual(codeOf(answer), [429, 'rate_limited']);
          assert.equal(answer.headers['retry-after'], '1');
        }
        assert.equal((await list(player)).length, 16);
      }
      service.clock.advance({ seconds: 61 });
      await saved(who, 's0', { data: 3 }, (await read(who, 's0')).json().version);
    }));

  it('is unavailable while the space is, and readable again afterwards', async () => {
    const own = (await publishLive(service, creator)).space.slug;
    await saved(ada, 'main', { data: 1 }, undefined, own);
    const act = (action: string) =>
      creator.call('POST', `/api/operator/spaces/${own}/${action}`, { reason: 'r' });
    assert.equal((await act('hold')).status, 200);
    const all = () =>
      Promise.all([
        ada.call('GET', `/api/player/saves?space=${own}`),
        read(ada, 'main', own),
        put(ada, 'main', { data: 2 }, undefined, own),
        ada.call('DELETE', path('main', own)),
      ]);
    for (const answer of await all()) assert.deepEqual(codeOf(answer), [409, 'space_unavailable']);
    assert.equal((await act('release')).status, 200);
    assert.equal((await read(ada, 'main', own)).json().data, 1);
    for (const space of ['nowhere', 'p--nowhere'])
      for (const [method, at] of [
        ['GET', `/api/player/saves?space=${space}`],
        ['GET', path('main', space)],
        ['PUT', path('main', space)],
        ['DELETE', path('main', space)],
      ] as const)
        assert.deepEqual(codeOf(await ada.call(method, at, method === 'PUT' ? { data: 1 } : undefined)), [
          404,
          'not_found',
        ]);
  });
});
