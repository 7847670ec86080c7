import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { publishLive } from '../../test/files.ts';
import { readMetrics } from '../../test/metrics.ts';
import { guestPlayer } from '../../test/played.ts';
import { ask, comeBack, enter, message, openSocket, originOf } from '../../test/room-member.ts';
import { startService, type TestService } from '../../test/service.ts';
import '../../test/one-engine.ts';

describe('the room figures in /metrics', () => {
  let service: TestService;
  let slug: string;
  before(async () => {
    service = await startService();
    slug = (await publishLive(service, await service.creator())).space.slug;
  });
  after(() => service.close());

  /** Returns the numbers of rooms, of members who are here, and of members who are away. */
  async function shown(): Promise<number[]> {
    const { sum } = await readMetrics(service);
    const members = ['here', 'away'].map((state) => sum('spaceport_room_members', { state }));
    return [sum('spaceport_rooms'), ...members];
  }

  it('count members, messages, removed members and refused players', async () => {
    assert.deepEqual(await shown(), [0, 0, 0]);
    const first = await enter(service, guestPlayer(service), slug, { how: 'create', max: 2 });
    const way = { how: 'join', code: first.ticket.code } as const;
    const guest = guestPlayer(service);
    const second = await enter(service, guest, slug, way);
    assert.deepEqual(await shown(), [1, 2, 0]);

    const before = await readMetrics(service);
    const total = 'spaceport_room_messages_total';
    for (let at = 0; at < 3; at++) first.say(message(at));
    await second.until((told) => told.is === 'message' && told.data === '2');
    const talked = await readMetrics(service);
    const grown = ['in', 'out'].map((to) => talked.sum(total, { way: to }) - before.sum(total, { way: to }));
    assert.deepEqual(grown, [3, 3]);

    await second.breakOff();
    await first.until((told) => told.is === 'drop');
    assert.deepEqual(await shown(), [1, 1, 1]);
    const back = await comeBack(service, guest, slug, second);

    const refusals = 'spaceport_room_refusals_total';
    assert.equal((await ask(guestPlayer(service), slug, way)).status, 409);
    assert.equal(await openSocket(back.ticket, originOf(service, slug)), 401);
    back.socket.send('?');
    assert.equal(await back.ended, 'garbage');
    const { sum } = await readMetrics(service);
    assert.deepEqual(
      [sum(refusals, { reason: 'room_full' }), sum(refusals, { reason: 'ticket' }), sum(refusals)],
      [1, 1, 2],
    );
    assert.equal(sum('spaceport_room_endings_total', { reason: 'garbage' }), 1);
    assert.equal(sum('spaceport_room_piped_sockets'), 0);
    first.socket.send('q');
    assert.equal(await first.ended, 'left');
    assert.deepEqual(await shown(), [0, 0, 0]);
  });
});
