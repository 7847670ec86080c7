import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { keptLoserDays, maxKeptLosers } from '@spaceport/contract/saves';
import fc from 'fast-check';
import { codeOf } from '../../test/answers.ts';
import { publishLive } from '../../test/files.ts';
import { accountPlayer, guestPlayer, type PlayingVisitor } from '../../test/played.ts';
import { history, play, type SlotKeeper } from '../../test/save-histories.ts';
import { startService, type TestService } from '../../test/service.ts';
import { findGuest, hashGuestKey } from '../guests/guests.ts';
import { givenId, type PlayerId } from '../platform/db/ids.ts';
import { sweepLosers } from './losers.ts';

describe('two devices of one player', () => {
  let service: TestService;
  let slug: string;
  before(async () => {
    service = await startService({
      environment: { GUESTS_PER_HOUR: '100000', SIGN_UPS_PER_HOUR: '1000', SAVES_PER_MINUTE: '1000000' },
    });
    slug = (await publishLive(service, await service.creator())).space.slug;
  });
  after(() => service.close());

  const db = () => service.service.platform.database.db;
  const path = (slot: string) => `/api/player/saves/${slot}?space=${slug}`;
  const match = (base: number | null): Record<string, string> =>
    base === null ? {} : { 'if-match': `"${base}"` };
  const losersOf = async (playerId: PlayerId) =>
    (
      await db()
        .selectFrom('save_losers')
        .select(['slot', 'data', 'lost_to', 'device'])
        .where('player_id', '=', playerId)
        .orderBy('lost_at')
        .execute()
    ).map(({ data, ...row }) => ({ ...row, content: JSON.parse(data) as string }));

  function over(who: PlayingVisitor, playerId: () => Promise<PlayerId>): SlotKeeper {
    const shown = (save: { version: number; data: string } | null) =>
      save && { version: save.version, content: save.data };
    return {
      async read(slot) {
        const answer = await who.call('GET', path(slot));
        return answer.status === 404 ? null : shown(answer.json());
      },
      async write(slot, base, data) {
        const answer = await who.call('PUT', path(slot), { data }, match(base));
        const body = answer.json();
        if (answer.status === 409) return { is: 'conflict', theirs: shown(body.theirs) };
        assert.equal(answer.status, 200, answer.text());
        return { is: 'saved', version: body.version };
      },
      async remove(slot, base) {
        const answer = await who.call('DELETE', path(slot), undefined, match(base));
        if (answer.status === 409) return { is: 'conflict', theirs: shown(answer.json().theirs) };
        assert.equal(answer.status, 200, answer.text());
        return { is: 'deleted' };
      },
      losers: async () => losersOf(await playerId()),
    };
  }
  function guest(): SlotKeeper & { playerId(): Promise<PlayerId> } {
    const who = guestPlayer(service);
    const playerId = async () =>
      (await findGuest(db(), hashGuestKey(who.key) ?? ''))?.id ?? givenId('gst', 'nobody was made');
    return { ...over(who, playerId), playerId };
  }

  it('never overwrite a save silently, whatever they do', async () => {
    await fc.assert(
      fc.asyncProperty(history, (deeds) => play(guest(), deeds)),
      { numRuns: 40 },
    );
  });

  it('find refused and replaced data for as long as is promised', async () => {
    const keeper = guest();
    const first = await keeper.write('main', null, 'theirs');
    assert.equal(first.is, 'saved');
    const refused = await keeper.write('main', null, 'mine');
    assert.deepEqual(refused, {
      is: 'conflict',
      theirs: { version: 'version' in first && first.version, content: 'theirs' },
    });
    const base = refused.is === 'conflict' ? (refused.theirs?.version ?? null) : null;
    assert.deepEqual(
      (await keeper.losers()).map(({ content }) => content),
      ['mine'],
    );
    assert.equal((await keeper.write('main', base, 'mine')).is, 'saved');
    assert.deepEqual(
      (await keeper.losers()).map(({ content }) => content),
      ['theirs'],
      'the other way round',
    );
    service.clock.advance({ hours: 24 * keptLoserDays - 1 });
    await sweepLosers(service.service.platform);
    assert.equal((await keeper.losers()).length, 1);
    service.clock.advance({ hours: 2 });
    await sweepLosers(service.service.platform);
    assert.equal((await keeper.losers()).length, 0);
  });

  it('find both originals after they are merged into a third save', async () => {
    const keeper = guest();
    await keeper.write('main', null, 'theirs');
    const refused = await keeper.write('main', null, 'mine');
    const base = refused.is === 'conflict' ? (refused.theirs?.version ?? null) : null;
    assert.equal((await keeper.write('main', base, 'both')).is, 'saved');
    const kept = (await keeper.losers()).map(({ content }) => content);
    assert.deepEqual(kept.toSorted(), ['mine', 'theirs']);
  });

  it('find no more of their own older saves after a conflict, so that the lost one stays', async () => {
    const keeper = guest();
    await keeper.write('main', null, 'theirs');
    const refused = await keeper.write('main', null, 'mine');
    let base = refused.is === 'conflict' ? (refused.theirs?.version ?? null) : null;
    for (let index = 0; index <= maxKeptLosers; index++) {
      const answer = await keeper.write('main', base, `mine ${index}`);
      base = answer.is === 'saved' ? answer.version : null;
    }
    const kept = (await keeper.losers()).map(({ content }) => content);
    assert.deepEqual(kept.toSorted(), ['mine', 'theirs']);
  });

  it('find only the newest replaced saves, and one for a write that was refused often', async () => {
    const keeper = guest();
    await keeper.write('main', null, 'first');
    for (let round = 0; round < 3; round++) await keeper.write('main', null, 'again');
    assert.equal((await keeper.losers()).length, 1);
    for (let index = 0; index < maxKeptLosers + 3; index++) await keeper.write('main', null, `lost ${index}`);
    const kept = (await keeper.losers()).map(({ content }) => content);
    assert.equal(kept.length, maxKeptLosers);
    assert.ok(kept.includes(`lost ${maxKeptLosers + 2}`) && !kept.includes('again'));
  });

  it('find a guest’s replaced saves only as far as there is room', async () => {
    const who = guestPlayer(service);
    const send = (slot: string, data: string) => who.call('PUT', path(slot), { data });
    const large = 'x'.repeat(200 * 1024);
    for (let slot = 0; slot < 3; slot++) assert.equal((await send(`s${slot}`, large)).status, 200);
    for (let index = 0; index < 4; index++)
      assert.deepEqual(codeOf(await send('s0', `${index}${large}`)), [409, 'conflict']);
    const id = (await findGuest(db(), hashGuestKey(who.key) ?? ''))?.id ?? givenId('gst', '');
    assert.deepEqual(
      (await losersOf(id)).map(({ content }) => content[0]),
      ['2', '3'],
    );
    assert.equal((await send('s3', large)).status, 200, 'what is saved goes before what lost');
    assert.deepEqual(
      (await losersOf(id)).map(({ content }) => content[0]),
      ['3'],
    );
  });

  it('may be two browsers of one account', async () => {
    const who = await accountPlayer(service, 'two_browsers');
    const { id } = await db()
      .selectFrom('creators')
      .select('id')
      .where('handle', '=', 'two_browsers')
      .executeTakeFirstOrThrow();
    await fc.assert(
      fc.asyncProperty(history, async (deeds) => {
        for (const table of ['saves', 'save_losers'] as const)
          await db().deleteFrom(table).where('player_id', '=', id).execute();
        await play(
          over(who, async () => id),
          deeds,
        );
      }),
      { numRuns: 15 },
    );
  });
});
