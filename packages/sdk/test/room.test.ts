import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import { roomEndings } from '@spaceport/contract/room-endings';
import { roomLimits, roomProtocol } from '@spaceport/contract/room-protocol';
import { fault } from '../src/faults.ts';
import { openRoom } from '../src/room.ts';
import type { Room, RoomEvents } from '../src/types.ts';
import { FakeSocket, picture } from './support/fake-socket.ts';

const ticket = (name: string) => ({
  url: 'ws://x/r',
  ticket: name,
  code: 'BCDFG',
  link: 'http://x/s/y?room=BCDFG',
});
const code = (expected: string) => (error: unknown) => (error as { code?: string }).code === expected;
let asked = 0;
let next: () => Promise<ReturnType<typeof ticket>>;

beforeEach(() => {
  mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  FakeSocket.made = [];
  asked = 0;
  next = async () => ticket(`t${++asked + 1}`);
  Reflect.set(globalThis, 'WebSocket', FakeSocket);
});
afterEach(() => mock.timers.reset());

/** Opens a room with its host and us. `heard` collects all events. */
async function opened(): Promise<{ room: Room; heard: unknown[][] }> {
  const opening = openRoom(ticket('t1'), () => next());
  FakeSocket.last().welcome({ room: picture });
  const room = await opening;
  const heard: unknown[][] = [];
  const events: (keyof RoomEvents)[] = [
    'message',
    'state',
    'join',
    'leave',
    'host',
    'drop',
    'back',
    'closed',
  ];
  for (const event of events)
    room.on(event, (...given: unknown[]) => {
      const [first, ...rest] = given;
      heard.push([event, (first as { id?: string } | null)?.id ?? first, ...rest]);
    });
  return { room, heard };
}

/** Breaks the socket, and waits until another one is opened with a new ticket. Returns that one. */
async function broken(how?: number): Promise<FakeSocket> {
  const before = FakeSocket.made.length;
  FakeSocket.last().breakOff(how);
  mock.timers.tick(roomLimits.awayMs / 10);
  for (let turn = 0; turn < 5; turn++) await Promise.resolve();
  assert.equal(FakeSocket.made.length, before + 1);
  return FakeSocket.last();
}

test('a room is entered with its ticket, and opens once it has sent its members and state', async () => {
  const { room } = await opened();
  const [socket] = FakeSocket.made;
  assert.deepEqual(socket?.protocols, [roomProtocol, 'ticket.t1']);
  assert.deepEqual([room.code, room.link], ['BCDFG', 'http://x/s/y?room=BCDFG']);
  assert.deepEqual(room.members(), [
    { id: 'host', handle: 'ada', host: true, you: false },
    { id: 'me', handle: null, host: false, you: true },
  ]);
  assert.equal(room.get('level'), 1);
});

test('messages and commands are sent, and events of the room reach listeners', async () => {
  const { room, heard } = await opened();
  room.send({ a: 1 });
  room.send(Uint8Array.of(1, 2), 'host');
  room.send(null, 'other');
  room.lock(true);
  room.kick('other');
  assert.deepEqual(FakeSocket.last().said(), [
    { is: 'message', to: '', data: '{"a":1}' },
    { is: 'message', to: '^', data: Uint8Array.of(1, 2) },
    { is: 'message', to: 'other', data: 'null' },
    { is: 'lock', on: true },
    { is: 'kick', id: 'other' },
  ]);
  FakeSocket.last().tell(
    { is: 'message', from: 'host', data: '[1]' },
    { is: 'message', from: 'host', data: Uint8Array.of(9) },
    { is: 'join', member: { id: 'new', handle: null, here: true } },
    { is: 'drop', id: 'host' },
    { is: 'host', id: 'me' },
    { is: 'leave', id: 'host' },
  );
  assert.deepEqual(heard, [
    ['message', [1], 'host'],
    ['message', Uint8Array.of(9), 'host'],
    ['join', 'new'],
    ['drop', 'host'],
    ['host', 'me'],
    ['leave', 'host'],
  ]);
});

test('a value that is set here shows at once, and others’ values when the room sends them', async () => {
  const { room, heard } = await opened();
  const socket = FakeSocket.last();
  room.set('level', 2);
  socket.tell({ is: 'set', from: 'host', key: 'level', value: '5' });
  assert.equal(room.get('level'), 2);
  socket.tell({ is: 'set', from: 'me', key: 'level', value: '2' });
  assert.deepEqual([room.get('level'), heard], [2, []]);
  socket.tell({ is: 'set', from: 'host', key: 'level', value: '7' });
  assert.deepEqual([room.get('level'), heard.splice(0)], [7, [['state', 'level', 7]]]);
  room.set('level');
  assert.equal(room.get('level'), undefined);
  socket.tell({ is: 'unset', key: 'level' });
  assert.deepEqual([room.get('level'), heard], [7, [['state', 'level', 7]]]);
});

test('a reconnected socket sends what the room has not received, once and in order', async () => {
  const { room, heard } = await opened();
  for (const one of ['a', 'b', 'c']) room.send(one);
  FakeSocket.last().tell({ is: 'message', from: 'host', data: '"x"' });
  const again = await broken();
  room.send('d');
  const hello = again.welcome({ got: 1 });
  assert.deepEqual(hello, { epoch: 'e1', got: 1, sent: 4, version: 1 });
  room.send('e');
  assert.deepEqual(
    again.said().map((said) => (said.is === 'message' ? said.data : said.is)),
    ['"b"', '"c"', '"d"', '"e"'],
  );
  const third = await broken();
  assert.equal(third.welcome({ got: 5 }).sent, 5);
  assert.deepEqual(third.said(), []);
  assert.deepEqual(heard.slice(1), [
    ['drop', 'me'],
    ['back', 'me'],
    ['drop', 'me'],
    ['back', 'me'],
  ]);
});

test('a new process of the room gets the state it asks for, and no message twice', async () => {
  const { room, heard } = await opened();
  room.send('sent before');
  room.set('mine', true);
  const again = await broken(roomEndings.moved);
  room.send('said meanwhile');
  again.welcome({
    epoch: 'e2',
    restore: true,
    room: { ...picture, members: picture.members.slice(1), host: 'me', state: [], version: 0 },
  });
  assert.equal(again.sent[1], 'r{"state":[["level","1"]],"version":1}');
  assert.deepEqual(again.said(), [
    { is: 'message', to: '', data: '"said meanwhile"' },
    { is: 'set', key: 'mine', value: 'true' },
  ]);
  assert.deepEqual(heard, [
    ['drop', 'me'],
    ['leave', 'host'],
    ['host', 'me'],
    ['back', 'me'],
  ]);
  assert.deepEqual([room.get('mine'), room.get('level')], [true, 1]);
  // The room may not have received the last write.
  assert.equal((await broken()).welcome({ epoch: 'e2', restore: true }).version, 1);
  assert.equal(FakeSocket.last().sent[1], 'r{"state":[["level","1"]],"version":1}');
});

test('a kicked member gets the reason, and the room is closed', async () => {
  const { room, heard } = await opened();
  FakeSocket.last().breakOff(roomEndings.kicked);
  assert.deepEqual(heard, [['closed', 'kicked']]);
  assert.throws(() => room.send(1), code('closed'));
  mock.timers.tick(60_000);
  assert.deepEqual([asked, FakeSocket.made.length], [0, 1]);
});

test('a room that is gone closes, and one that cannot be reached is tried again', async () => {
  const { heard } = await opened();
  next = async () => {
    asked++;
    throw fault(asked < 3 ? 'offline' : 'not_found', 'no');
  };
  FakeSocket.last().breakOff();
  for (let times = 0; times < 3; times++) {
    mock.timers.tick(roomLimits.awayMs / 10);
    for (let turn = 0; turn < 5; turn++) await Promise.resolve();
  }
  assert.deepEqual([asked, heard.at(-1)], [3, ['closed', 'not_found']]);
});

test('a member who leaves tells the room', async () => {
  const { room, heard } = await opened();
  room.leave();
  room.leave();
  assert.equal(FakeSocket.last().sent.at(-1), 'q');
  assert.deepEqual(heard, [['closed', 'left']]);
});

test('messages over the limits are refused without being sent', async () => {
  const { room } = await opened();
  assert.throws(() => room.send('x'.repeat(roomLimits.messageBytes)), code('too_large'));
  assert.throws(() => room.send(new Uint8Array(roomLimits.messageBytes + 1)), code('too_large'));
  assert.throws(() => room.set('k'.repeat(roomLimits.keyCharacters + 1), 1), code('invalid'));
  assert.throws(() => room.send(undefined as never), code('invalid'));
  assert.throws(() => room.set('k', Uint8Array.of(1) as never), code('invalid'));
  for (let at = 0; at < roomLimits.messagesPerSecond; at++) room.send(at);
  assert.throws(() => room.send(0), code('rate_limited'));
});

test('what the room could not read is refused without being sent, so that nobody is thrown out for it', async () => {
  const { room } = await opened();
  const before = FakeSocket.last().sent.length;
  const [member] = room.members();
  const loop: { self?: unknown } = {};
  loop.self = loop;
  for (const odd of [undefined, () => {}, loop, 1n, new ArrayBuffer(3)])
    for (const attempt of [() => room.send(odd as never), () => room.set('a', (odd ?? loop) as never)])
      assert.throws(attempt, code('invalid'), String(odd));
  for (const odd of [member, null, 7, 'two words'])
    for (const attempt of [() => room.send(1, odd as never), () => room.kick(odd as never)])
      assert.throws(attempt, code('invalid'), String(odd));
  assert.throws(() => room.kick(''), code('invalid'));
  assert.throws(() => room.on('message', undefined as never), code('invalid'));
  assert.equal(FakeSocket.last().sent.length, before);
});

test('a heartbeat of the room is answered', async () => {
  await opened();
  FakeSocket.last().hearRaw('~');
  assert.equal(FakeSocket.last().sent.at(-1), '~');
});

test('a room whose socket is silent is asked for again', async (t) => {
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  await opened();
  now = roomLimits.silentMs + 1;
  mock.timers.tick(roomLimits.beatMs);
  assert.equal(FakeSocket.last().readyState, 3);
  mock.timers.tick(roomLimits.awayMs / 10);
  for (let turn = 0; turn < 5; turn++) await Promise.resolve();
  assert.equal(FakeSocket.made.length, 2);
});

test('a socket that never opens, or gets no welcome, is given up for another one', async (t) => {
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  const opening = openRoom(ticket('t1'), () => next());
  now = roomLimits.silentMs + 1;
  mock.timers.tick(roomLimits.beatMs);
  assert.equal(FakeSocket.last().readyState, 3);
  mock.timers.tick(roomLimits.awayMs / 10);
  for (let turn = 0; turn < 5; turn++) await Promise.resolve();
  assert.equal(FakeSocket.made.length, 2);
  FakeSocket.last().welcome({ room: picture });
  assert.equal((await opening).members().length, 2);
});

test('a member who leaves while the socket is broken asks for no other ticket', async () => {
  const { room, heard } = await opened();
  FakeSocket.last().breakOff();
  room.leave();
  mock.timers.tick(roomLimits.awayMs);
  assert.deepEqual([asked, FakeSocket.made.length, heard.at(-1)], [0, 1, ['closed', 'left']]);
});

test('a room that cannot be reached for half a minute is over', async (t) => {
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  const { heard } = await opened();
  next = async () => {
    throw fault('offline', 'no line');
  };
  FakeSocket.last().breakOff();
  for (let turn = 0; turn < 40; turn++) {
    now += 1_000;
    mock.timers.tick(roomLimits.awayMs);
    for (let step = 0; step < 5; step++) await Promise.resolve();
  }
  assert.deepEqual(heard.at(-1), ['closed', 'offline']);
});
