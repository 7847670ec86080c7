import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { codeOf } from '../../test/answers.ts';
import { publishLive } from '../../test/files.ts';
import { accountPlayer, guestPlayer, type PlayingVisitor } from '../../test/played.ts';
import { ask, comeBack, enter, messagesOf, type RoomMember } from '../../test/room-member.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';

describe('a guest who signs in while in a room', () => {
  let service: TestService;
  let creator: Persona;
  let slug: string;
  before(async () => {
    service = await startService({ environment: { GUESTS_PER_HOUR: '1000', SIGN_UPS_PER_HOUR: '1000' } });
    creator = await service.creator('room_owner');
    slug = (await publishLive(service, creator)).space.slug;
  });
  after(() => service.close());

  let names = 0;
  /** Two guests in a room for two. Then the first, its host, has signed in. */
  async function signedIn() {
    const guest = guestPlayer(service);
    const first = await enter(service, guest, slug, { how: 'create', max: 2 });
    const { code } = first.ticket;
    const second = await enter(service, guestPlayer(service), slug, { how: 'join', code });
    const handle = `seated_${++names}`;
    const account = await accountPlayer(service, handle);
    const adopted = await account.call('POST', '/api/player/adopt', { guest_key: guest.key });
    assert.equal(adopted.status, 200, adopted.text());
    return { account, handle, first, second, code };
  }
  const back = async (player: PlayingVisitor, member: RoomMember) => comeBack(service, player, slug, member);
  const text = (said: string) => ({ is: 'message', to: '', data: JSON.stringify(said) }) as const;

  it('stays the same member when the socket breaks, also in a full room', async () => {
    const { account, handle, first, second, code } = await signedIn();
    await first.breakOff();
    await second.until(({ is }) => is === 'drop');
    second.say(text('meanwhile'));
    const again = await back(account, first);
    assert.equal(again.welcome.you, first.welcome.you);
    assert.equal(again.welcome.epoch, first.welcome.epoch, 'nothing is lost');
    await again.until(({ is }) => is === 'message');
    assert.deepEqual(messagesOf(again), ['meanwhile']);
    await second.until(({ is }) => is === 'back');
    assert.equal(second.view.members.size, 2);
    assert.deepEqual(codeOf(await ask(guestPlayer(service), slug, { how: 'join', code })), [
      409,
      'room_full',
    ]);
    // A second reconnect, and another tab.
    await again.breakOff();
    const third = await back(account, again);
    const tab = await enter(service, account, slug, { how: 'join', code });
    assert.equal(await third.ended, 'elsewhere');
    assert.equal(tab.view.members.get(first.welcome.you)?.handle, handle);
  });

  it('reads who is in it', async () => {
    const { account, code } = await signedIn();
    const answer = await account.call('GET', `/api/player/rooms/${code}?space=${slug}`);
    assert.equal(answer.status, 200, answer.text());
    assert.deepEqual(
      answer.json().members.map(({ you }: { you: boolean }) => you),
      [true, false],
    );
  });

  it('is removed by a ban of the account after coming back', async () => {
    const { account, handle, first } = await signedIn();
    const again = await back(account, first);
    const banned = await creator.call('POST', `/api/spaces/${slug}/bans`, { handle });
    assert.equal(banned.status, 200, banned.text());
    assert.equal(await again.ended, 'banned');
  });

  it('is nobody else: another account takes no place, and reads nothing', async () => {
    const { code } = await signedIn();
    const other = await accountPlayer(service, `seated_${++names}`);
    assert.deepEqual(codeOf(await ask(other, slug, { how: 'join', code })), [409, 'room_full']);
    const answer = await other.call('GET', `/api/player/rooms/${code}?space=${slug}`);
    assert.deepEqual(codeOf(answer), [404, 'not_found']);
  });
});
