import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { codeOf } from '../../test/answers.ts';
import { askUntil } from '../../test/ask-until.ts';
import { publishFiles, publishLive, smallGame } from '../../test/files.ts';
import { accountPlayer, guestPlayer, nobodyPlayer, type PlayingVisitor } from '../../test/played.ts';
import { enter } from '../../test/room-member.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';
import '../../test/one-engine.ts';

describe('the rooms of a space', () => {
  let service: TestService;
  let creator: Persona;
  let slug: string;
  before(async () => {
    service = await startService({ environment: { PUBLISHES_PER_HOUR: '1000' } });
    creator = await service.creator('room_reader');
    slug = (await publishLive(service, creator)).space.slug;
  });
  after(() => service.close());

  const list = (who: PlayingVisitor, space: string) => who.call('GET', `/api/player/rooms?space=${space}`);
  const read = (who: PlayingVisitor, space: string, code: string) =>
    who.call('GET', `/api/player/rooms/${code}?space=${space}`);

  /** Waits until the rooms fit: the row of a room is written a moment after a change. */
  async function until(
    who: PlayingVisitor,
    space: string,
    fits: (rooms: { code: string; members: number }[]) => boolean,
  ) {
    const answer = await askUntil(
      () => list(who, space),
      (one) => fits(one.json().rooms),
    );
    return answer.json().rooms;
  }

  it('are listed for everyone when they are open and have a place, with their hosts', async () => {
    const [ada, guest] = [await accountPlayer(service, 'lobby_ada'), guestPlayer(service)];
    await enter(service, guestPlayer(service), slug, { how: 'create' });
    const first = await enter(service, ada, slug, { how: 'create', max: 3, open: true });
    const { code } = first.ticket;
    const nobody = nobodyPlayer(service);
    const alone = await until(nobody, slug, ({ length }) => length > 0);
    assert.deepEqual(alone, [{ code, host: 'lobby_ada', members: 1, max: 3 }]);
    const second = await enter(service, guest, slug, { how: 'join', code });
    await until(nobody, slug, ([room]) => room?.members === 2);
    first.say({ is: 'lock', on: true });
    await until(nobody, slug, ({ length }) => length === 0);
    first.say({ is: 'lock', on: false });
    await until(nobody, slug, ({ length }) => length === 1);
    await enter(service, guestPlayer(service), slug, { how: 'join', code });
    await until(nobody, slug, ({ length }) => length === 0);
    first.socket.send('q');
    const [left] = await until(nobody, slug, ({ length }) => length === 1);
    assert.deepEqual(left, { code, host: null, members: 2, max: 3 });
    assert.equal(second.view.host, second.welcome.you);
  });

  it('name their members to the members, and to nobody else', async () => {
    const [ada, guest] = [await accountPlayer(service, 'inside_ada'), guestPlayer(service)];
    const { ticket } = await enter(service, ada, slug, { how: 'create' });
    const way = { how: 'join', code: ticket.code } as const;
    await enter(service, guest, slug, way);
    // Nothing is waited for: the row of the room is written a moment later.
    assert.deepEqual((await read(guest, slug, ticket.code)).json(), {
      code: ticket.code,
      max: 8,
      members: [
        { handle: 'inside_ada', host: true, you: false },
        { handle: null, host: false, you: true },
      ],
    });
    assert.deepEqual(codeOf(await read(guestPlayer(service), slug, ticket.code)), [404, 'not_found']);
    assert.deepEqual(codeOf(await read(guest, slug, 'ZZZZZ')), [404, 'not_found']);
    assert.deepEqual(codeOf(await read(guest, 'no-such-space', ticket.code)), [404, 'not_found']);
    assert.deepEqual(codeOf(await read(nobodyPlayer(service), slug, ticket.code)), [403, 'sign_in_required']);
    assert.deepEqual(codeOf(await read(guest, slug, 'AEIOU')), [422, 'invalid']);
  });

  it('are those of the requested space, and none while it is unavailable', async () => {
    const guest = guestPlayer(service);
    const away = (await publishLive(service, creator)).space.slug;
    const { ticket } = await enter(service, guest, away, { how: 'create', open: true });
    await until(guest, away, ({ length }) => length === 1);
    const { previewUrl } = await publishFiles(creator, smallGame, { space: away });
    const label = new URL(previewUrl ?? '').hostname.split('.')[0] ?? '';
    assert.deepEqual((await list(guest, label)).json(), { rooms: [] });
    assert.deepEqual(codeOf(await read(guest, slug, ticket.code)), [404, 'not_found']);
    assert.deepEqual(codeOf(await list(guest, 'no-such-space')), [404, 'not_found']);
    assert.equal((await creator.call('POST', `/api/spaces/${away}/offline`)).status, 200);
    assert.deepEqual(codeOf(await list(guest, away)), [409, 'space_unavailable']);
    assert.deepEqual(codeOf(await read(guest, away, ticket.code)), [409, 'space_unavailable']);
  });
});
