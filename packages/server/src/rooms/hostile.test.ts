import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { roomLimits } from '@spaceport/contract/room-protocol';
import { codeOf } from '../../test/answers.ts';
import { publishLive } from '../../test/files.ts';
import { accountPlayer, guestPlayer, nobodyPlayer, type PlayingVisitor } from '../../test/played.ts';
import {
  ask,
  enter,
  message,
  messagesOf,
  openSocket,
  originOf,
  type RoomMember,
  ticketTo,
} from '../../test/room-member.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';
import '../../test/one-engine.ts';

describe('a room with hostile clients', () => {
  let service: TestService;
  let creator: Persona;
  let slug: string;
  let other: string;
  before(async () => {
    service = await startService({ environment: { PUBLISHES_PER_HOUR: '1000', SIGN_UPS_PER_HOUR: '1000' } });
    creator = await service.creator('strict_maker', { operator: true });
    slug = (await publishLive(service, creator)).space.slug;
    other = (await publishLive(service, creator)).space.slug;
  });
  after(() => service.close());

  async function three(): Promise<{ good: RoomMember[]; bad: RoomMember; badOne: PlayingVisitor }> {
    const first = await enter(service, guestPlayer(service), slug, { how: 'create' });
    const way = { how: 'join', code: first.ticket.code } as const;
    const second = await enter(service, guestPlayer(service), slug, way);
    const badOne = await accountPlayer(service, `bad_${first.ticket.code.toLowerCase()}`);
    const bad = await enter(service, badOne, slug, way);
    return { good: [first, second], bad, badOne };
  }

  /** Checks that the remaining members notice only that somebody left, and can go on talking. */
  async function talkOn([first, second]: RoomMember[], gone: RoomMember): Promise<void> {
    assert.ok(first && second);
    for (const one of [first, second])
      await one.until((told) => told.is === 'leave' && told.id === gone.welcome.you);
    first.say(message('still here'));
    await second.until((told) => told.is === 'message' && told.data === '"still here"');
    assert.deepEqual(second.view, first.view);
  }

  it('accepts a ticket once, in its room, in its time, from the space’s own pages', async () => {
    const origin = originOf(service, slug);
    const guest = guestPlayer(service);
    const create = { how: 'create' } as const;
    const used = await enter(service, guest, slug, create);
    assert.equal(await openSocket(used.ticket, origin), 401, 'a ticket that was used');
    const ticket = await ticketTo(guest, slug, create);
    const elsewhere = { ...ticket, url: used.ticket.url };
    assert.equal(await openSocket(elsewhere, origin), 401, 'a ticket of another room');
    assert.equal(await openSocket({ ...ticket, ticket: 'x' }, origin), 401);
    const nowhere = { ...ticket, url: ticket.url.replace(/.$/u, (last) => (last === '0' ? '1' : '0')) };
    assert.equal(await openSocket(nowhere, origin), 404);
    service.clock.advance({ seconds: roomLimits.ticketMs / 1_000 + 1 });
    assert.equal(await openSocket(ticket, origin), 401, 'a ticket whose time is over');
    const told = used.told.length;
    for (const wrong of ['https://evil.example', originOf(service, other), 'null', undefined])
      assert.equal(await openSocket(await ticketTo(guest, slug, create), wrong), 403, String(wrong));
    const ours = await openSocket(await ticketTo(guest, slug, create), service.baseUrl);
    assert.ok(typeof ours !== 'number');
    ours.terminate();
    used.socket.send('l1');
    await used.until((each) => each.is === 'lock');
    assert.equal(used.told.length, told + 1, 'who was in the room noticed nothing');
  });

  it('refuses a ticket from before a lock, kick or ban', async () => {
    const { good, bad, badOne } = await three();
    const [first] = good;
    assert.ok(first);
    const way = { how: 'join', code: first.ticket.code } as const;
    const origin = originOf(service, slug);
    const late = await ticketTo(guestPlayer(service), slug, way);
    const [again, before] = [
      await ticketTo(badOne, slug, way),
      await ticketTo(badOne, slug, { how: 'create' }),
    ];
    first.say({ is: 'lock', on: true });
    await first.until((told) => told.is === 'lock');
    assert.equal(await openSocket(late, origin), 409, 'locked');
    first.say({ is: 'kick', id: bad.welcome.you });
    assert.equal(await bad.ended, 'kicked');
    assert.equal(await openSocket(again, origin), 409, 'kicked');
    const { handle } = (await badOne.open(slug)).json().player;
    assert.equal((await creator.call('POST', `/api/spaces/${slug}/bans`, { handle })).status, 200);
    assert.equal(await openSocket(before, origin), 403, 'banned');
    await talkOn(good, bad);
    assert.deepEqual(
      first.told.map(({ is }) => is),
      ['join', 'join', 'lock', 'leave'],
    );
  });

  it('accepts only known and unbanned players of its space', async () => {
    const first = await enter(service, guestPlayer(service), slug, { how: 'create', max: 2 });
    const join = { how: 'join', code: first.ticket.code } as const;
    assert.deepEqual(codeOf(await ask(nobodyPlayer(service), slug, join)), [403, 'sign_in_required']);
    assert.deepEqual(codeOf(await ask(guestPlayer(service), other, join)), [404, 'not_found']);
    assert.deepEqual(codeOf(await ask(guestPlayer(service), 'no-such-space', join)), [404, 'not_found']);
    const late = await ticketTo(guestPlayer(service), slug, join);
    const second = await enter(service, guestPlayer(service), slug, join);
    assert.deepEqual(codeOf(await ask(guestPlayer(service), slug, join)), [409, 'room_full']);
    assert.equal(await openSocket(late, originOf(service, slug)), 409, 'whoever was faster has the place');
    second.say(message('who else?'));
    await first.until((told) => told.is === 'message');
    assert.deepEqual(
      first.told.map(({ is }) => is),
      ['join', 'message'],
      'who is in it notices nobody else',
    );
    const odd = [
      { how: 'join' },
      { how: 'join', code: 'AEIOU' },
      { how: 'quick', max: 3 },
      { how: 'create', code: first.ticket.code },
      { how: 'create', max: 17 },
      { how: 'join', code: first.ticket.code, open: true },
    ] as const;
    for (const way of odd)
      assert.deepEqual(
        codeOf(await ask(guestPlayer(service), slug, way)),
        [422, 'invalid'],
        JSON.stringify(way),
      );
  });

  it('closes the socket of a flooding member, and the others are not affected', async () => {
    const { good, bad } = await three();
    for (let at = 0; at < 500; at++) bad.say(message(at));
    assert.equal(await bad.ended, 'flood');
    await talkOn(good, bad);
    for (const one of good) assert.ok(messagesOf(one).length <= 2 * roomLimits.messagesPerSecond + 5);
  });

  const garbage: [what: string, say: (bad: RoomMember) => void, ending: string][] = [
    ['what is no frame', ({ socket }) => socket.send('?'), 'garbage'],
    ['a message that is no JSON', ({ socket }) => socket.send('m {"a":'), 'garbage'],
    ['a value that is no JSON', ({ socket }) => socket.send('s"a":nope'), 'garbage'],
    ['bytes without a name', ({ socket }) => socket.send(Buffer.of(200, 1)), 'garbage'],
    ['a second hello', ({ socket }) => socket.send('h{}'), 'garbage'],
    ['a state that nobody asked for', ({ socket }) => socket.send('r{"state":[],"version":9}'), 'garbage'],
    ['a key that is too long', (bad) => bad.say({ is: 'set', key: 'k'.repeat(101), value: '1' }), 'garbage'],
    ['a long message', (bad) => bad.say(message('x'.repeat(4_096))), 'tooLarge'],
    ['many bytes', (bad) => bad.say(message(new Uint8Array(4_097))), 'tooLarge'],
    ['a long value', (bad) => bad.say({ is: 'set', key: 'a', value: `"${'x'.repeat(4_096)}"` }), 'tooLarge'],
  ];
  for (const [what, say, ending] of garbage)
    it(`closes the socket of a member who sends ${what}`, async () => {
      const { good, bad } = await three();
      say(bad);
      assert.equal(await bad.ended, ending);
      await talkOn(good, bad);
      for (const one of good) assert.deepEqual(messagesOf(one).slice(0, -1), []);
    });

  it('closes a socket that sends no hello', async () => {
    const ticket = await ticketTo(guestPlayer(service), slug, { how: 'create' });
    const socket = await openSocket(ticket, originOf(service, slug));
    assert.ok(typeof socket !== 'number');
    const code = new Promise((resolve) => socket.once('close', resolve));
    socket.send('h{"epoch":5}');
    assert.equal(await code, 4_017);
  });

  it('refuses a value that does not fit, and tells only its sender', async () => {
    const first = await enter(service, guestPlayer(service), slug, { how: 'create' });
    const value = JSON.stringify('x'.repeat(4_000));
    for (let at = 0; at < 17; at++) first.say({ is: 'set', key: `k${at}`, value });
    await first.until((told) => told.is === 'unset' && told.key === 'k16');
    assert.equal(first.view.values.size, 16);
  });

  it('removes a banned player at once, and lets none in', async () => {
    const { good, bad, badOne } = await three();
    const { handle } = (await badOne.open(slug)).json().player;
    const ban = (method: string) => creator.call(method, `/api/spaces/${slug}/bans`, { handle });
    assert.equal((await ban('POST')).status, 200);
    assert.equal(await bad.ended, 'banned');
    await talkOn(good, bad);
    const way = { how: 'join', code: bad.ticket.code } as const;
    assert.deepEqual(codeOf(await ask(badOne, slug, way)), [403, 'banned']);
    await ban('DELETE');
    assert.equal((await ask(badOne, slug, way)).status, 200);
  });
});

describe('the rooms of a process', () => {
  it('are opened by one network up to a quarter, counted while they last', async () => {
    const service = await startService({ environment: { ROOMS_MAX: '8', TRUST_PROXY: '1' } });
    try {
      const { slug } = (await publishLive(service, await service.creator())).space;
      const from = (address: string): PlayingVisitor => {
        const guest = guestPlayer(service);
        const call: PlayingVisitor['call'] = (method, path, body, headers = {}) =>
          guest.call(method, path, body, { 'x-forwarded-for': address, ...headers });
        return { ...guest, call };
      };
      const create = { how: 'create' } as const;
      const one = '192.0.2.1';
      const first = await enter(service, from(one), slug, create);
      await ticketTo(from(one), slug, create);
      const limited = await ask(from(one), slug, create);
      assert.deepEqual(codeOf(limited), [429, 'rate_limited']);
      assert.ok(Number(limited.headers['retry-after']) >= 1);
      assert.deepEqual(codeOf(await ask(from(one), slug, { how: 'quick' })), [429, 'rate_limited']);
      await ticketTo(from(one), slug, { how: 'join', code: first.ticket.code });
      await ticketTo(from('192.0.2.2'), slug, create);
      // Nobody has entered the second room in time, so it counts no more. The first one lasts.
      service.clock.advance({ seconds: roomLimits.ticketMs / 1_000 + 1 });
      await ticketTo(from(one), slug, create);
      assert.deepEqual(codeOf(await ask(from(one), slug, create)), [429, 'rate_limited']);
    } finally {
      await service.close();
    }
  });

  it('are limited in number, as are the tickets of a player and of an address', async () => {
    const service = await startService({
      environment: { ROOMS_MAX: '1', ROOM_TICKETS_PER_MINUTE: '3' },
    });
    const { slug } = (await publishLive(service, await service.creator())).space;
    const create = { how: 'create' } as const;
    const guest = guestPlayer(service);
    const first = await enter(service, guest, slug, create);
    assert.deepEqual(codeOf(await ask(guest, slug, create)), [503, 'failed']);
    assert.equal((await ask(guest, slug, { how: 'join', code: first.ticket.code })).status, 200);
    const limited = await ask(guest, slug, create);
    assert.deepEqual(codeOf(limited), [429, 'rate_limited']);
    assert.ok(Number(limited.headers['retry-after']) >= 1);
    const all: ReturnType<typeof codeOf>[] = [];
    // While time passes, the address may have one more every two seconds.
    await service.clock.standing(async () => {
      for (let at = 0; at < 30; at++) all.push(codeOf(await ask(guestPlayer(service), slug, create)));
    });
    assert.deepEqual(all.at(-1), [429, 'rate_limited']);
    await service.close();
  });
});
