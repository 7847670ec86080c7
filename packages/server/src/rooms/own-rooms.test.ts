import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { askUntil } from '../../test/ask-until.ts';
import { readableLog } from '../../test/log-lines.ts';
import { WiredBrowser } from '../../test/room-wire.ts';
import { startService, type TestService } from '../../test/service.ts';
import type { AccountId } from '../platform/db/ids.ts';
import { toJson } from '../platform/db/json.ts';
import { shownThing } from '../platform/db/shown.ts';
import { newId } from '../platform/secrets/id.ts';
import { OwnRooms } from './own-rooms.ts';
import { RoomCounts } from './room-counts.ts';
import { findNode, type RoomRow } from './rooms.queries.ts';

function roomOf({ id }: OwnRooms): RoomRow {
  return {
    id: newId('room'),
    space_id: newId('spc'),
    env: 'live',
    code: 'ABCD',
    max_members: 2,
    is_locked: 0,
    node_id: id,
    epoch: 1,
    members: toJson({ members: [], host: null, barred: [] }),
  };
}

describe('a process with rooms that closes', () => {
  let service: TestService;
  let own: OwnRooms;
  before(async () => {
    service = await startService();
  });
  beforeEach(() => {
    own = new OwnRooms(service.service.platform, 'http://localhost:1', new RoomCounts());
  });
  after(() => service.close());

  it('ends its lease, also one that it is just taking', async () => {
    const { database, clock } = service.service.platform;
    const claimed = own.claim();
    await own.close();
    await claimed;
    assert.equal(await findNode(database.db, own.id, clock.movedMs()), undefined);
  });

  it('opens no room for a member who arrives late', async () => {
    const row = roomOf(own);
    await own.claim();
    assert.ok(own.open(row));
    assert.equal(own.isFull, false);
    await own.close();
    assert.equal(own.open(row), null);
    assert.equal(own.isFull, true);
  });
});

describe('a process with rooms whose PostgreSQL takes no writes', () => {
  it('says so once, and for how long when it does again', async (context) => {
    const service = await startService();
    context.after(() => service.close());
    const { platform } = service.service;
    const { log, lines } = readableLog();
    let failures = 0;
    let statement: string | null = null;
    const database = new Proxy(platform.database, {
      get(whole, name) {
        if (statement === null || name !== 'db') return Reflect.get(whole, name, whole);
        failures += 1;
        // PostgreSQL names the statement that it refuses.
        const message = `cannot execute ${failures % 2 ? statement : 'DELETE'} in a read-only transaction`;
        throw Object.assign(new Error(message), { code: '25006' });
      },
    });
    const own = new OwnRooms({ ...platform, database, log }, 'http://localhost:1', new RoomCounts());
    context.after(() => own.close());
    await own.claim();
    assert.ok(own.open(roomOf(own)));
    statement = 'UPDATE';
    const look = () => database.announcements.deliver(['space:changed']);
    await askUntil(
      async () => look(),
      () => failures >= 4,
    );
    statement = null;
    await askUntil(
      async () => look(),
      () => lines.some(({ level }) => level === 30),
    );
    assert.deepEqual(
      lines.map(({ level, msg, seconds }) => [level, msg, typeof seconds]),
      [
        [40, 'rooms not looked after', 'undefined'],
        [30, 'rooms are looked after again', 'number'],
      ],
    );
  });
});

describe('a process that gets a room again', () => {
  it('ends the sockets of the room as it had it before', async (context) => {
    const service = await startService();
    context.after(() => service.close());
    const counts = new RoomCounts();
    const own = new OwnRooms(service.service.platform, 'http://localhost:1', counts);
    context.after(() => own.close());
    const row = roomOf(own);
    const before = own.open(row) ?? assert.fail('this process has the room');
    const ada = new WiredBrowser(before, 'ada');
    ada.connect();
    ada.arrive(10);
    assert.equal(before.here, 1);
    const again = own.open({ ...row, epoch: 3 });
    assert.notEqual(again, before);
    assert.equal(own.find(row.id), again);
    assert.deepEqual([...counts.endings], [['moved', 1]]);
  });
});

describe('a process that hears of players', () => {
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  /** Returns whether it looks after its rooms: then it extends its lease. */
  async function looksAfter(tag: (account: AccountId) => string): Promise<boolean> {
    const { platform } = service.service;
    const { announcements, db } = platform.database;
    const own = new OwnRooms(platform, 'http://localhost:1', new RoomCounts());
    const account = newId('usr');
    const member = { id: 'ada', handle: 'ada', account, order: 1 };
    own.open({ ...roomOf(own), members: toJson({ members: [member], host: 'ada', barred: [] }) });
    announcements.deliver([`${shownThing}:${tag(account)}`]);
    await own.close();
    return (await db.selectFrom('room_nodes').select('id').where('id', '=', own.id).execute()).length > 0;
  }

  it('looks whether its members are banned', async () => {
    for (const thing of ['played', 'person'])
      assert.equal(await looksAfter((account) => `${thing}:${account}`), true, thing);
  });

  it('does not look when others unlock something, or are new on a board', async () => {
    assert.equal(await looksAfter(() => `played:${newId('usr')}`), false);
  });
});
