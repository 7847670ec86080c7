import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { codeOf } from '../../test/answers.ts';
import { type Arena, makeArena, makePlayers } from '../../test/arena.ts';
import { publishFiles, smallGame } from '../../test/files.ts';
import { startService, type TestService } from '../../test/service.ts';
import '../../test/one-engine.ts';

describe('a write of a stat that has triggers', () => {
  let service: TestService;
  let arena: Arena;
  const players: string[] = [];
  before(async () => {
    service = await startService();
    arena = await makeArena(service, []);
    await arena.putAchievements({
      stats: [{ key: 'level' }, { key: 'jumps', op: 'add' }],
      achievements: [
        { key: 'jumper', trigger: { stat: 'jumps', atLeast: 3 } },
        { key: 'leaper', trigger: { stat: 'jumps', atLeast: 10 } },
        { key: 'cold', trigger: { stat: 'level', atLeast: -10 } },
      ],
    });
    players.push(...(await makePlayers(service, 10)));
  });
  after(() => service.close());

  /** Returns a player without any progress. */
  const someone = () => players.pop() ?? '';
  const post = (body: unknown) => arena.call('POST', '/api/v1/stats', body);
  async function write(stat: string, player: string, value: number, more: object = {}) {
    const answer = await post({ stat, player, value, ...more });
    assert.equal(answer.status, 200, answer.text());
    return answer.json() as { value: number; unlocked: string[] };
  }
  const has = async (handle: string) => {
    const path = `/api/gallery/${arena.slug}/players/${handle}`;
    const { achievements } = (await service.anonymous.call('GET', path)).json();
    return achievements.map(({ key }: { key: string }) => key).toSorted() as string[];
  };

  it('unlocks each achievement that the value reaches once, in the same call', async () => {
    const ann = someone();
    assert.deepEqual((await write('jumps', ann, 2)).unlocked, []);
    assert.deepEqual(await has(ann), []);
    assert.deepEqual((await write('jumps', ann, 1)).unlocked, ['jumper']);
    assert.deepEqual(await has(ann), ['jumper']);
    assert.deepEqual((await write('jumps', ann, -3)).unlocked, []);
    assert.deepEqual((await write('jumps', ann, 12)).unlocked, ['leaper'], 'jumper was unlocked before');
    const bob = someone();
    assert.deepEqual((await write('jumps', bob, 10)).unlocked, ['jumper', 'leaper'], 'as declared');
    assert.deepEqual((await write('level', bob, -11)).unlocked, []);
    assert.deepEqual((await write('level', bob, -10)).unlocked, ['cold']);
  });

  it('unlocks achievements that were declared since the last write', async () => {
    const own = await makeArena(service, []);
    await own.putAchievements({ stats: [{ key: 'wins', op: 'add' }] });
    const ann = someone();
    const add = async (value: number) =>
      (await own.call('POST', '/api/v1/stats', { stat: 'wins', player: ann, value })).json().unlocked;
    assert.deepEqual(await add(5), []);
    await own.putAchievements({ achievements: [{ key: 'late', trigger: { stat: 'wins', atLeast: 5 } }] });
    assert.deepEqual(await add(0), ['late']);
    await own.putAchievements({ achievements: [{ key: 'late', trigger: { stat: 'wins', atLeast: 50 } }] });
    assert.deepEqual(await add(100), [], 'what is unlocked stays');
  });

  it('uses the declarations of a preview in the sandbox only', async () => {
    await publishFiles(arena.creator, smallGame, {
      space: arena.slug,
      stats: [{ key: 'tried' }],
      achievements: [{ key: 'trier', trigger: { stat: 'tried', atLeast: 1 } }],
    });
    const tried = { stat: 'tried', player: someone(), value: 1 };
    assert.deepEqual(codeOf(await post(tried)), [404, 'not_found']);
    const { unlocked } = await write('tried', tried.player, 1, { sandbox: true });
    assert.deepEqual(unlocked, ['trier']);
    const trier = { achievement: 'trier', player: someone() };
    const unlock = (body: object) => arena.call('POST', '/api/v1/achievements', body);
    assert.deepEqual(codeOf(await unlock(trier)), [404, 'not_found']);
    assert.equal((await unlock({ ...trier, sandbox: true })).json().first, true);
  });
});
