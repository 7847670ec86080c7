import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { roomLimits } from '@spaceport/contract/room-protocol';
import { publishLive } from '../../test/files.ts';
import { readMetrics } from '../../test/metrics.ts';
import { guestPlayer } from '../../test/played.ts';
import { comeBack, enter, message, messagesOf, type RoomMember } from '../../test/room-member.ts';
import { startService, type TestService } from '../../test/service.ts';
import '../../test/one-engine.ts';

const tickMs = 40;
const text = 'x'.repeat(roomLimits.messageBytes - 100);

describe('a member that does not read', () => {
  let service: TestService;
  let slug: string;
  before(async () => {
    service = await startService();
    slug = (await publishLive(service, await service.creator())).space.slug;
  });
  after(() => service.close());

  it('is dropped when too much waits for it, others get everything, and it can return to the room', async () => {
    const max = roomLimits.mostMembers;
    const first = await enter(service, guestPlayer(service), slug, { how: 'create', max });
    const way = { how: 'join', code: first.ticket.code } as const;
    const slowOne = guestPlayer(service);
    const slow = await enter(service, slowOne, slug, way);
    const talkers: RoomMember[] = [];
    while (talkers.length < max - 2) talkers.push(await enter(service, guestPlayer(service), slug, way));
    slow.socket.pause();
    // The kernel buffers some megabytes first, so all members send as fast as they may
    // until its buffers are full.
    const isDropped = () => first.told.some((told) => told.is === 'drop' && told.id === slow.welcome.you);
    let rounds = 0;
    await new Promise<void>((resolve) => {
      const talking = setInterval(() => {
        if (isDropped()) {
          clearInterval(talking);
          return resolve();
        }
        for (const talker of talkers) talker.say(message({ at: rounds, text }));
        rounds++;
      }, tickMs);
    });
    first.say({ is: 'set', key: 'told', value: 'true' });
    await Promise.all(talkers.map((one) => one.until((told) => told.is === 'set')));
    for (const talker of talkers) talker.say(message('end'));
    for (const one of [first, ...talkers]) {
      const others = talkers.filter((talker) => talker !== one);
      for (const { welcome } of others)
        await one.until(
          (told) => told.is === 'message' && told.from === welcome.you && told.data === '"end"',
        );
      const got = messagesOf(one).flatMap((said) =>
        typeof said === 'object' ? [said as { at: number }] : [],
      );
      assert.equal(got.length, others.length * rounds);
      // Messages of each talker are in order: the n-th one is from the n-th round.
      const counts = new Map<string, number>();
      for (const told of one.told) {
        if (told.is !== 'message' || told.data === '"end"') continue;
        const count = counts.get(told.from) ?? 0;
        assert.equal(JSON.parse(String(told.data)).at, count);
        counts.set(told.from, count + 1);
      }
      assert.ok(!one.told.some((told) => told.is === 'drop' && told.id !== slow.welcome.you));
    }
    assert.equal((await readMetrics(service)).sum('spaceport_room_endings_total', { reason: 'slow' }), 1);
    slow.socket.resume();
    assert.equal(await slow.ended, null);
    const back = await comeBack(service, slowOne, slug, slow);
    await first.until((told) => told.is === 'back' && told.id === slow.welcome.you);
    assert.deepEqual(back.view, first.view);
  });
});
