import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { codeOf } from '../../test/answers.ts';
import { type Arena, makeArena } from '../../test/arena.ts';
import { publishFiles, smallGame } from '../../test/files.ts';
import { accountPlayer, guestPlayer, type PlayingVisitor } from '../../test/played.ts';
import { startService, type TestService } from '../../test/service.ts';

const declared = {
  stats: [{ key: 'jumps', op: 'add' as const }],
  achievements: ['a', 'b', 'c', 'd'].map((key) => ({ key })),
};

/** Somewhere to play: a space, or the preview of one of its versions. */
interface Place {
  readonly space: string;
  readonly version: number;
  /** What the guest has there. */
  readonly has: Holdings;
}

interface Holdings {
  readonly jumps: number;
  readonly best: number;
  readonly unlocked: readonly string[];
  readonly saved: string | undefined;
}

const nothing: Holdings = { jumps: 0, best: 0, unlocked: [], saved: undefined };

describe('what a guest has in several places', () => {
  let service: TestService;
  let arenas: Arena[];
  let places: Place[];
  before(async () => {
    service = await startService();
    const boards = [{ key: 'points' }];
    arenas = [await makeArena(service, boards), await makeArena(service, boards)];
    places = [];
    for (const arena of arenas) {
      await arena.putAchievements(declared);
      const { previewUrl } = await publishFiles(arena.creator, smallGame, { space: arena.slug, ...declared });
      const label = new URL(previewUrl ?? '').hostname.split('.')[0] ?? '';
      for (const [space, version] of [
        [arena.slug, 1],
        [label, 2],
      ] as const) {
        const number = places.length + 1;
        const unlocked = ['abcd'.slice(number - 1, number)];
        places.push({ space, version, has: { jumps: number, best: number, unlocked, saved: space } });
      }
    }
  });
  after(() => service.close());

  async function write(who: PlayingVisitor, { space, version, has }: Place): Promise<void> {
    const session = await who.session(space, version);
    const sent = [
      await who.post('stats', { session, stat: 'jumps', by: has.jumps }),
      await who.post('scores', { session, board: 'points', score: has.best }),
      await who.post('achievements', { session, key: has.unlocked[0] }),
      await who.call('PUT', `/api/player/saves/main?space=${space}`, { data: has.saved, device: 'here' }),
    ];
    for (const answer of sent) assert.equal(answer.status, 200, answer.text());
  }

  async function holdings(who: PlayingVisitor, { space, version }: Place): Promise<Holdings> {
    const session = await who.session(space, version);
    const { achievements } = (await who.call('GET', `/api/player/achievements?space=${space}`)).json();
    return {
      jumps: (await who.post('stats', { session, stat: 'jumps', by: 0 })).json().value,
      best: (await who.post('scores', { session, board: 'points', score: 0 })).json().best,
      unlocked: achievements
        .filter((one: { unlocked_at: string | null }) => one.unlocked_at !== null)
        .map(({ key }: { key: string }) => key),
      saved: (await who.call('GET', `/api/player/saves/main?space=${space}`)).json().data,
    };
  }

  async function everywhere(): Promise<ReturnType<typeof guestPlayer>> {
    const guest = guestPlayer(service);
    for (const place of places) await write(guest, place);
    return guest;
  }

  it('stays apart', async () => {
    const guest = await everywhere();
    for (const place of places) assert.deepEqual(await holdings(guest, place), place.has, place.space);
  });

  it('stays, but for the sandbox that is reset', async () => {
    const guest = await everywhere();
    const [arena] = arenas;
    assert.ok(arena);
    const reset = await arena.creator.call('POST', `/api/v1/hosting/spaces/${arena.slug}/reset`);
    assert.equal(reset.status, 200, reset.text());
    for (const [index, place] of places.entries())
      assert.deepEqual(await holdings(guest, place), index === 1 ? nothing : place.has, place.space);
  });

  it('is unlocked only where it is declared, as for accounts', async () => {
    const [one, other] = arenas;
    assert.ok(one && other);
    await other.putAchievements({ achievements: [{ key: 'elsewhere' }] });
    const achievements = [...declared.achievements, { key: 'trial' }];
    const published = await publishFiles(one.creator, smallGame, {
      space: one.slug,
      ...declared,
      achievements,
    });
    const preview = new URL(published.previewUrl ?? '').hostname.split('.')[0] ?? '';
    for (const who of [guestPlayer(service), await accountPlayer(service, 'seeker')]) {
      const unlock = async (space: string, version: number, key: string) =>
        who.post('achievements', { session: await who.session(space, version), key });
      for (const key of ['elsewhere', 'trial'])
        assert.deepEqual(codeOf(await unlock(one.slug, 1, key)), [404, 'not_found'], key);
      const { number } = published.version;
      assert.deepEqual(codeOf(await unlock(preview, number, 'elsewhere')), [404, 'not_found']);
      assert.equal((await unlock(preview, number, 'trial')).status, 200);
      assert.equal((await unlock(other.slug, 1, 'elsewhere')).status, 200);
    }
  });

  it('is apart with the account that adopts the guest too', async () => {
    const guest = await everywhere();
    const account = await accountPlayer(service, 'adopter');
    const adopted = await account.call('POST', '/api/player/adopt', { guest_key: guest.key });
    assert.equal(adopted.status, 200, adopted.text());
    for (const place of places) assert.deepEqual(await holdings(account, place), place.has, place.space);
  });
});
