import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import { roomCodePattern, spellHello, spellLeave, spellSaid } from '@spaceport/contract/room-protocol';
import WebSocket from 'ws';
import { codeOf } from '../../test/answers.ts';
import { askUntil } from '../../test/ask-until.ts';
import { publishFiles, publishLive, smallGame } from '../../test/files.ts';
import { accountPlayer, guestPlayer } from '../../test/played.ts';
import {
  ask,
  comeBack,
  comeIn,
  enter,
  message,
  messagesOf,
  openSocket,
  originOf,
  ticketTo,
} from '../../test/room-member.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';

describe('a room of a space', () => {
  let service: TestService;
  let creator: Persona;
  let slug: string;
  before(async () => {
    service = await startService({ environment: { PUBLISHES_PER_HOUR: '1000', SIGN_UPS_PER_HOUR: '1000' } });
    creator = await service.creator('room_maker');
    slug = (await publishLive(service, creator)).space.slug;
  });
  after(() => service.close());

  /** Returns two members: the player who opened the room, and a guest. */
  async function two() {
    const [ada, bob] = [await accountPlayer(service), guestPlayer(service)];
    const first = await enter(service, ada, slug, { how: 'create' });
    const second = await enter(service, bob, slug, { how: 'join', code: first.ticket.code });
    await first.until((told) => told.is === 'join' && told.member.id === second.welcome.you);
    return { ada, bob, first, second };
  }

  it('has a code and a link, and shows everyone who is in it', async () => {
    const ada = await accountPlayer(service, 'room_ada');
    const first = await enter(service, ada, slug, { how: 'create' });
    assert.match(first.ticket.code, roomCodePattern);
    assert.equal(first.ticket.link, `${service.baseUrl}/s/${slug}?room=${first.ticket.code}`);
    const { player } = (await ada.open(slug)).json();
    assert.equal(first.welcome.you, player.id);
    assert.deepEqual([...first.view.members.values()], [{ id: player.id, handle: 'room_ada', here: true }]);
    const second = await enter(service, guestPlayer(service), slug, {
      how: 'join',
      code: first.ticket.code,
    });
    await first.until((told) => told.is === 'join');
    assert.deepEqual(first.view, second.view);
    assert.equal(second.view.host, player.id);
    assert.equal(second.view.members.get(second.welcome.you)?.handle, null);
  });

  it('passes messages on in order, to all others, to the host or to one member, with their sender', async () => {
    const { first, second } = await two();
    const third = await enter(service, guestPlayer(service), slug, {
      how: 'join',
      code: first.ticket.code,
    });
    for (let at = 0; at < 20; at++) second.say(message({ at }));
    second.say(message('host only', '^'));
    second.say(message('third only', third.welcome.you));
    second.say(message(Uint8Array.of(0, 255, 7)));
    second.say(message('end'));
    for (const one of [first, third])
      await one.until((told) => told.is === 'message' && told.data === '"end"');
    const common = Array.from({ length: 20 }, (_, at) => ({ at }));
    assert.deepEqual(messagesOf(first), [...common, 'host only', [0, 255, 7], 'end']);
    assert.deepEqual(messagesOf(third), [...common, 'third only', [0, 255, 7], 'end']);
    assert.deepEqual(messagesOf(second), []);
    const senders = first.told.flatMap((told) => (told.is === 'message' ? [told.from] : []));
    assert.deepEqual([...new Set(senders)], [second.welcome.you]);
  });

  it('stays for a player who is about to enter it when the last member leaves', async () => {
    const first = await enter(service, await accountPlayer(service), slug, { how: 'create' });
    const { code } = first.ticket;
    const join = async () => ticketTo(guestPlayer(service), slug, { how: 'join', code });
    const [ticket, later] = [await join(), await join()];
    const opened = await openSocket(ticket, originOf(service, slug));
    assert.ok(opened instanceof WebSocket);
    first.socket.send(spellLeave());
    assert.equal(await first.ended, 'left');
    const { db } = service.service.platform.database;
    await askUntil(
      () => db.selectFrom('rooms').select('member_count').where('code', '=', code).executeTakeFirst(),
      (room) => room?.member_count !== 1,
    );
    const welcomed = once(opened, 'message');
    opened.send(spellHello({ epoch: null, got: 0, sent: 0, version: 0 }));
    await welcomed;
    const third = await comeIn(later, originOf(service, slug));
    assert.equal(third.view.members.size, 2);
    const fourth = await enter(service, guestPlayer(service), slug, { how: 'join', code });
    assert.equal(fourth.view.members.size, 3);
  });

  it('shares a state with members who come later too', async () => {
    const { first, second } = await two();
    first.say({ is: 'set', key: 'level', value: '3' });
    first.say({ is: 'set', key: 'gone', value: 'true' });
    second.say({ is: 'set', key: 'gone', value: undefined });
    for (const one of [first, second]) {
      await one.until((told) => told.is === 'set' && told.key === 'level');
      await one.until((told) => told.is === 'set' && told.key === 'gone' && told.from === second.welcome.you);
    }
    const third = await enter(service, guestPlayer(service), slug, { how: 'join', code: first.ticket.code });
    assert.equal(third.view.values.get('level'), '3');
    await first.until((told) => told.is === 'join' && told.member.id === third.welcome.you);
    for (const one of [second, third]) assert.deepEqual(one.view.values, first.view.values);
  });

  it('loses no message while a socket is broken, in either direction', async () => {
    const { bob, first, second } = await two();
    second.say(message('before'));
    await first.until((told) => told.is === 'message');
    const known = second.hello();
    await second.breakOff();
    await first.until((told) => told.is === 'drop' && told.id === second.welcome.you);
    for (let at = 0; at < 30; at++) first.say(message({ at, text: 'x'.repeat(1_000) }));
    // The module does the same: it counts the messages meanwhile, and sends them once it is back.
    const back = await comeBack(service, bob, slug, second);
    assert.equal(back.welcome.epoch, known.epoch);
    assert.equal(back.welcome.got, known.sent);
    assert.equal(back.welcome.room, undefined);
    await back.until((told) => told.is === 'message' && JSON.parse(String(told.data)).at === 29);
    assert.deepEqual(
      messagesOf(back).map((one) => (one as { at: number }).at),
      Array.from({ length: 30 }, (_, at) => at),
    );
    back.say(message('after'));
    await first.until((told) => told.is === 'message' && told.data === '"after"');
    assert.deepEqual(messagesOf(first), ['before', 'after']);
    assert.deepEqual(back.view, first.view);
  });

  it('sends its whole state to a member who missed more than the log keeps', async () => {
    const { bob, first, second } = await two();
    await second.breakOff();
    for (let at = 0; at < 20; at++) first.say(message('x'.repeat(4_000)));
    first.say({ is: 'set', key: 'a', value: '1' });
    await first.until((told) => told.is === 'set');
    const back = await comeBack(service, bob, slug, second);
    assert.notEqual(back.welcome.epoch, second.welcome.epoch);
    assert.equal(back.view.values.get('a'), '1');
    await first.until((told) => told.is === 'back');
    assert.deepEqual(back.view, first.view);
  });

  it('gives the place of a member who stays away to others, and its host to the oldest present', async () => {
    const { ada, first, second } = await two();
    await first.breakOff();
    await second.until((told) => told.is === 'host');
    assert.equal(second.view.host, second.welcome.you);
    service.clock.advance({ seconds: 20 });
    const back = await comeBack(service, ada, slug, first);
    await second.until((told) => told.is === 'back');
    assert.equal(back.view.host, second.welcome.you);
    await back.breakOff();
    await second.until(
      (told) => told.is === 'drop' && second.told.filter(({ is }) => is === 'drop').length === 2,
    );
    service.clock.advance({ seconds: 31 });
    await second.until((told) => told.is === 'leave');
    assert.deepEqual([...second.view.members.keys()], [second.welcome.you]);
  });

  it('ends with its last member, and its code is invalid then', async () => {
    const guest = guestPlayer(service);
    const alone = await enter(service, guest, slug, { how: 'create' });
    alone.socket.send('q');
    assert.equal(await alone.ended, 'left');
    const { db } = service.service.platform.database;
    const isThere = () =>
      db.selectFrom('rooms').select('id').where('code', '=', alone.ticket.code).executeTakeFirst();
    while (await isThere()) await new Promise((resolve) => setTimeout(resolve, 10));
    assert.deepEqual(codeOf(await ask(guest, slug, { how: 'join', code: alone.ticket.code })), [
      404,
      'not_found',
    ]);
  });

  it('has one socket per player, and another tab takes it over', async () => {
    const { bob, first, second } = await two();
    const other = await enter(service, bob, slug, { how: 'join', code: first.ticket.code });
    assert.equal(await second.ended, 'elsewhere');
    other.say(message('here'));
    await first.until((told) => told.is === 'message');
    assert.deepEqual([...first.view.members.keys()], [first.welcome.you, other.welcome.you]);
  });

  it('matches players into an open room with a place, or else into a new one', async () => {
    const [one, other, third] = [guestPlayer(service), guestPlayer(service), guestPlayer(service)];
    const closed = await enter(service, one, slug, { how: 'create' });
    const first = await enter(service, one, slug, { how: 'quick' });
    assert.notEqual(first.ticket.code, closed.ticket.code);
    const second = await enter(service, other, slug, { how: 'quick' });
    assert.equal(second.ticket.code, first.ticket.code);
    first.say({ is: 'lock', on: true });
    await second.until((told) => told.is === 'lock');
    const elsewhere = await enter(service, third, slug, { how: 'quick' });
    assert.notEqual(elsewhere.ticket.code, first.ticket.code);
    const open = await enter(service, one, slug, { how: 'create', max: 2, open: true });
    assert.equal(open.view.max, 2);
  });

  it('gets as many players as it has places when they ask at the same moment', async () => {
    const own = (await publishLive(service, creator)).space.slug;
    const players = Array.from({ length: 20 }, () => guestPlayer(service));
    const quick = (player: (typeof players)[number]) => ticketTo(player, own, { how: 'quick' });
    const tickets = await Promise.all(players.map(quick));
    const rooms = Map.groupBy(tickets, ({ code }) => code);
    const sizes = [...rooms.values()].map(({ length }) => length);
    assert.deepEqual(
      sizes.toSorted((one, other) => other - one),
      [8, 8, 4],
    );
    // Who asks again is not counted twice.
    const again = await Promise.all(players.map(quick));
    assert.deepEqual(new Set(again.map(({ code }) => code)), new Set(rooms.keys()));
    const members = await Promise.all(again.map((ticket) => comeIn(ticket, originOf(service, own))));
    assert.equal(new Set(members.map(({ welcome }) => welcome.you)).size, 20);
    // A place that its player never took is free once the ticket has expired.
    const [late, later] = [guestPlayer(service), guestPlayer(service)];
    const last = tickets.find(({ code }) => rooms.get(code)?.length === 4)?.code;
    const four = await Promise.all(Array.from({ length: 4 }, () => quick(guestPlayer(service))));
    assert.deepEqual(new Set(four.map(({ code }) => code)), new Set([last]));
    assert.notEqual((await quick(late)).code, last);
    service.clock.advance({ seconds: 31 });
    // The process extends its lease every second; without it there are no open rooms.
    await askUntil(
      () => later.call('GET', `/api/player/rooms?space=${own}`),
      (answer) => answer.json().rooms.some((room: { code: string }) => room.code === last),
    );
    assert.equal((await quick(later)).code, last);
  });

  it('of a preview is separate, and needs the preview’s link', async () => {
    const { previewUrl } = await publishFiles(creator, smallGame, { space: slug });
    const label = new URL(previewUrl ?? '').hostname.split('.')[0] ?? '';
    const guest = guestPlayer(service);
    const ticket = await ticketTo(guest, label, { how: 'create' });
    assert.equal(ticket.link, `${service.baseUrl}/preview/${label}?room=${ticket.code}`);
    await comeIn(ticket, originOf(service, label));
    assert.deepEqual(codeOf(await ask(guest, slug, { how: 'join', code: ticket.code })), [404, 'not_found']);
    // Emptying the sandbox deletes the room too.
    const member = await enter(service, guestPlayer(service), label, { how: 'join', code: ticket.code });
    const reset = await creator.call('POST', `/api/v1/hosting/spaces/${slug}/reset`, {
      categories: ['rooms'],
    });
    assert.deepEqual(reset.json(), { deleted: { rooms: 1 } });
    assert.equal(await member.ended, 'moved');
  });

  it('can be locked by its host, who can kick members', async () => {
    const { bob, first, second } = await two();
    second.say({ is: 'lock', on: true });
    second.say({ is: 'kick', id: first.welcome.you });
    second.say(message('did nothing'));
    await first.until((told) => told.is === 'message');
    assert.equal(first.view.locked, false);
    first.say({ is: 'lock', on: true });
    await second.until((told) => told.is === 'lock');
    const code = first.ticket.code;
    const stranger = await ask(guestPlayer(service), slug, { how: 'join', code });
    assert.deepEqual(codeOf(stranger), [409, 'room_locked']);
    first.socket.send(spellSaid({ is: 'kick', id: second.welcome.you }));
    assert.equal(await second.ended, 'kicked');
    await first.until((told) => told.is === 'leave');
    assert.deepEqual(codeOf(await ask(bob, slug, { how: 'join', code })), [403, 'kicked']);
  });

  it('closes when its space is taken away, and is not there when the space is back', async () => {
    const space = (await publishLive(service, creator)).space.slug;
    const guest = guestPlayer(service);
    const first = await enter(service, guest, space, { how: 'create' });
    const { code } = first.ticket;
    assert.equal((await creator.call('POST', `/api/spaces/${space}/offline`)).status, 200);
    assert.equal(await first.ended, 'closed');
    assert.deepEqual(codeOf(await ask(guest, space, { how: 'join', code })), [409, 'space_unavailable']);
    assert.equal((await creator.call('POST', `/api/spaces/${space}/online`)).status, 200);
    // The row is deleted a moment after the members were sent away.
    const read = () => guest.call('GET', `/api/player/rooms/${code}?space=${space}`);
    await askUntil(read, ({ status }) => status === 404);
    assert.deepEqual(codeOf(await ask(guest, space, { how: 'join', code })), [404, 'not_found']);
  });
});
