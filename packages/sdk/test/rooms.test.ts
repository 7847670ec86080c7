import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import type { Backend } from '../src/backend.ts';
import { fault } from '../src/faults.ts';
import { createRooms } from '../src/rooms.ts';
import { FakeSocket, picture } from './support/fake-socket.ts';

let asked: string[] = [];
let told: unknown[] = [];

/** The page's side: each room of a match has the next code, and is full for those who join it. */
const backend: Pick<Backend, 'call' | 'tell'> = {
  async call(method: string, args: readonly unknown[]) {
    assert.equal(method, 'rooms.enter');
    asked.push(String(args[0]));
    if (args[0] === 'join') throw fault('full', 'The room is full.');
    const code = `ROOM${asked.filter((how) => how === 'quick').length}`;
    return { url: 'ws://x/r', ticket: code, code, link: `http://x/s/y?room=${code}` } as never;
  },
  tell(name: string, args: readonly unknown[]) {
    told.push([name, ...args]);
  },
};

beforeEach(() => {
  mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  FakeSocket.made = [];
  [asked, told] = [[], []];
  Reflect.set(globalThis, 'WebSocket', FakeSocket);
});
afterEach(() => mock.timers.reset());

const turns = async () => {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
};

/** The service refuses the last socket, and then another ticket to the same room. */
async function refuse(): Promise<void> {
  await turns();
  FakeSocket.last().breakOff();
  mock.timers.tick(1_000);
  await turns();
}

test('a player who is matched into a room that others fill meanwhile gets another one', async () => {
  const quick = createRooms(backend).quick();
  await refuse();
  FakeSocket.last().welcome({ room: picture });
  assert.equal((await quick).code, 'ROOM2');
  assert.deepEqual(asked, ['quick', 'join', 'quick']);
  assert.deepEqual(told, [
    ['roomLeft', 'ROOM1'],
    ['roomChanged', picture.members.length, 'ROOM2'],
  ]);
});

test('a match ends after three rooms that could not be entered', async () => {
  const quick = createRooms(backend).quick();
  const ended = assert.rejects(quick, { code: 'closed', message: 'the room cannot be entered: full' });
  for (let room = 0; room < 3; room++) await refuse();
  await ended;
  assert.equal(asked.filter((how) => how === 'quick').length, 3);
});

test('a room that is named is tried once', async () => {
  const created = createRooms(backend).create();
  const ended = assert.rejects(created, { code: 'closed' });
  await refuse();
  await ended;
  assert.deepEqual(asked, ['create', 'join']);
});

test('a player who enters a room again is still in it when the earlier socket ends', async () => {
  const rooms = createRooms(backend);
  const enter = async () => {
    const entering = rooms.create();
    await turns();
    FakeSocket.last().welcome({ room: picture });
    return entering;
  };
  const first = await enter();
  const second = await enter();
  assert.equal(first.code, second.code);
  told = [];
  first.leave();
  assert.deepEqual(told, []);
  second.leave();
  assert.deepEqual(told, [['roomLeft', second.code]]);
});

test('a player who leaves while another ticket is on its way is out of the room', async () => {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const call = async (method: string, args: readonly unknown[]) =>
    args[0] === 'join' ? promise : backend.call(method as never, args as never);
  const creating = createRooms({ ...backend, call: call as typeof backend.call }).create();
  await turns();
  FakeSocket.last().welcome({ room: picture });
  const room = await creating;
  FakeSocket.last().breakOff();
  mock.timers.tick(1_000);
  room.leave();
  told = [];
  // The page shows the room again with this ticket.
  resolve({ url: 'ws://x/r', ticket: 'late', code: room.code, link: room.link });
  await turns();
  assert.deepEqual(told, [['roomLeft', room.code]]);
  assert.equal(FakeSocket.made.length, 1);
});
