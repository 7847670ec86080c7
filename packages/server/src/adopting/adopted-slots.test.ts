import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { maxSaveSlots } from '@spaceport/contract/saves';
import { codeOf } from '../../test/answers.ts';
import { type Arena, makeArena } from '../../test/arena.ts';
import { writeSave } from '../../test/guest-deeds.ts';
import { accountPlayer, guestPlayer } from '../../test/played.ts';
import { startService, type TestService } from '../../test/service.ts';
import '../../test/one-engine.ts';

describe('an account that adopts more saves than it has room for', () => {
  let service: TestService;
  let arena: Arena;
  before(async () => {
    service = await startService();
    arena = await makeArena(service, []);
  });
  after(() => service.close());

  it('loses none, and gets a new slot only when there is room again', async () => {
    const guest = guestPlayer(service);
    const account = await accountPlayer(service, 'collector');
    for (let slot = 0; slot < maxSaveSlots; slot++) {
      await writeSave(guest, arena, `theirs-${slot}`, slot);
      await writeSave(account, arena, `mine-${slot}`, slot);
    }
    const adopted = await account.call('POST', '/api/player/adopt', { guest_key: guest.key });
    assert.equal(adopted.status, 200, adopted.text());
    const at = (slot: string) => `/api/player/saves/${slot}?space=${arena.slug}`;
    const { saves }: { saves: { slot: string; version: number }[] } = (
      await account.call('GET', `/api/player/saves?space=${arena.slug}`)
    ).json();
    assert.equal(saves.length, 2 * maxSaveSlots);
    const put = () => account.call('PUT', at('new'), { data: 'new', device: 'here' });
    for (const { slot, version } of saves.slice(0, maxSaveSlots + 1)) {
      assert.deepEqual(codeOf(await put()), [413, 'too_large']);
      const deleted = await account.call('DELETE', at(slot), undefined, { 'if-match': `"${version}"` });
      assert.equal(deleted.status, 200, deleted.text());
    }
    assert.equal((await put()).status, 200);
  });
});
