import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { declaredOf, many } from '../../test/declared.ts';
import { fileEntries, listing, publishFiles, publishLive, smallGame } from '../../test/files.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';

const files = fileEntries(smallGame);
const fields = { ...listing, devices: [...listing.devices] };

describe('the declarations in service.json', () => {
  let service: TestService;
  let creator: Persona;
  let declared: ReturnType<typeof declaredOf>;
  before(async () => {
    service = await startService({
      environment: { PUBLISHES_PER_HOUR: '500', CHECKS_PER_HOUR: '500', ANONYMOUS_PUBLISHES_PER_HOUR: '500' },
    });
    creator = await service.creator();
    declared = declaredOf(service, creator);
  });
  after(() => service.close());

  const create = (body: object) => creator.call('POST', '/api/v1/hosting/versions', { files, ...body });
  const finish = (id: string, preview = false) =>
    creator.call('POST', `/api/v1/hosting/versions/${id}/finish`, { preview });
  const statusOf = async (id: string) => (await creator.call('GET', `/api/v1/hosting/versions/${id}`)).json();
  /** Publishes for production and waits for the verdict. Returns the slug. */
  async function publish(what: object, space?: string): Promise<{ slug: string }> {
    const details = space === undefined ? { fields, ...what } : { space, ...what };
    return (await publishLive(service, creator, smallGame, details)).space;
  }

  const some = {
    boards: [{ key: 'score', title: 'Version' }],
    stats: [{ key: 'jumps' }],
    achievements: [{ key: 'jumper', trigger: { stat: 'jumps', atLeast: 1 } }],
  };

  it('take effect when their version goes live, and not before', async () => {
    const { version, space } = await service.holdJobs(async () => {
      const published = await publishFiles(creator, smallGame, { fields, ...some }, { live: true });
      assert.deepEqual(await declared.boards(published.space.slug), []);
      return published;
    });
    await service.settle();
    assert.equal((await statusOf(version.id)).status, 'live');
    assert.deepEqual(await declared.sources(space.slug), ['score:page']);
    assert.deepEqual(
      (await declared.achievements(space.slug)).achievements.map(({ key }) => key),
      ['jumper'],
    );
  });

  it('take no effect when their version is refused', async () => {
    const bad = {
      ...smallGame,
      'virus.txt': 'X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*',
    };
    const { version, space } = await publishFiles(creator, bad, { fields, ...some }, { live: true });
    await service.settle();
    assert.equal((await statusOf(version.id)).status, 'refused');
    assert.deepEqual(await declared.boards(space.slug), []);
    assert.deepEqual(await declared.achievements(space.slug), { stats: [], achievements: [] });
  });

  it('are replaced by the API, and replace it again with the next version and a rollback', async () => {
    const { slug } = await publish(some);
    await declared.put(slug, [{ key: 'score', title: 'Api' }]);
    assert.deepEqual(await declared.sources(slug), ['score:api']);
    await publish({ boards: [{ key: 'score', title: 'Second' }, { key: 'extra' }] }, slug);
    assert.deepEqual(await declared.sources(slug), ['score:page', 'extra:page']);
    assert.equal((await declared.boards(slug))[0]?.title, 'Second');
    const back = await creator.call('POST', `/api/v1/hosting/spaces/${slug}/rollback`, { version: 1 });
    assert.equal(back.status, 200, back.text());
    assert.equal((await declared.boards(slug))[0]?.title, 'Version');
    assert.deepEqual(
      await declared.sources(slug),
      ['score:page', 'extra:page'],
      'a rollback deletes nothing',
    );
  });

  it('may name a stat that the space has already', async () => {
    const { slug } = await publish({});
    const achievements = [{ key: 'a', trigger: { stat: 'known', atLeast: 1 } }];
    const refused = await create({ space: slug, achievements });
    assert.deepEqual([refused.status, refused.json().code], [422, 'invalid_declaration']);
    assert.equal(refused.json().issues[0].path, 'achievements.0.trigger.stat');
    await declared.putAchievements(slug, { stats: [{ key: 'known' }] });
    await publish({ achievements }, slug);
    assert.deepEqual(
      (await declared.achievements(slug)).achievements.map(({ key }) => key),
      ['a'],
    );
  });

  it('are counted at create together with those of the API, by key', async () => {
    const { slug } = await publish({});
    await declared.put(slug, many(9));
    await declared.putAchievements(slug, { stats: many(49), achievements: many(49) });
    for (const [kind, count] of [
      ['boards', 2],
      ['stats', 2],
      ['achievements', 2],
    ] as const) {
      const answer = await create({ space: slug, [kind]: many(count, 'new') });
      assert.deepEqual([answer.status, answer.json().code], [409, 'too_many'], kind);
      assert.equal((await create({ space: slug, [kind]: [...many(9), ...many(1, 'new')] })).status, 201);
      assert.deepEqual((await create({ space: slug, [kind]: many(51) })).json().code, 'too_many');
    }
    const dry = await create({ space: slug, boards: many(2, 'new'), dryRun: true });
    assert.equal(dry.json().code, 'too_many');
  });

  it('are counted again at finish, and a refused finish changes nothing', async () => {
    const { slug } = await publish({});
    for (const preview of [true, false]) {
      const { version } = (await create({ space: slug, boards: many(5, 'v') })).json();
      await declared.put(slug, many(6));
      const answer = await finish(version.id, preview);
      assert.deepEqual([answer.status, answer.json().code], [409, 'too_many']);
      assert.equal((await statusOf(version.id)).status, 'uploading');
      for (const { key } of many(6)) await declared.drop(slug, key);
      assert.equal((await finish(version.id, preview)).status, 200);
      await declared.put(slug, many(10));
      assert.equal(
        (await finish(version.id, preview)).status,
        200,
        'finishing twice answers as the first did',
      );
      await service.settle();
      for (const { key } of await declared.boards(slug)) await declared.drop(slug, key);
    }
  });

  it('are refused at finish when a stat that they need was deleted', async () => {
    const { slug } = await publish({});
    await declared.putAchievements(slug, { stats: [{ key: 's' }] });
    const achievements = [{ key: 'a', trigger: { stat: 's', atLeast: 1 } }];
    const { version } = (await create({ space: slug, achievements })).json();
    await declared.dropStat(slug, 's');
    const answer = await finish(version.id);
    assert.deepEqual([answer.status, answer.json().code], [422, 'invalid_declaration']);
  });

  it('that do not fit when the version goes live are applied as far as possible, and reported', async () => {
    const { slug } = await publish({});
    await declared.putAchievements(slug, { stats: [{ key: 's' }] });
    const { version } = await service.holdJobs(async () => {
      const published = await publishFiles(
        creator,
        smallGame,
        {
          space: slug,
          boards: [{ key: 'k1', title: 'Taken over' }, ...many(3, 'v')],
          achievements: [{ key: 'of-s', trigger: { stat: 's', atLeast: 1 } }, { key: 'plain' }],
        },
        { live: true },
      );
      await declared.put(slug, many(8));
      await declared.dropStat(slug, 's');
      return published;
    });
    await service.settle();
    const read = await statusOf(version.id);
    assert.equal(read.status, 'live');
    const findings = () =>
      read.report.findings.filter(({ rule }: { rule: string }) => rule === 'declarations');
    assert.equal(findings().length, 1);
    assert.match(findings()[0].message, /boards .* v2.*«s»/u);
    assert.deepEqual(
      (await declared.boards(slug)).map(({ key, title }) => (key === title ? key : `${key}=${title}`)),
      ['k0', 'k1=Taken over', 'k2', 'k3', 'k4', 'k5', 'k6', 'k7', 'v0', 'v1'],
    );
    assert.deepEqual(
      (await declared.achievements(slug)).achievements.map(({ key }) => key),
      ['plain'],
    );
    // When there is room, a rollback to it puts everything into effect, and its report
    // has no finding any more.
    await publish({}, slug);
    await declared.drop(slug, 'k0');
    await declared.putAchievements(slug, { stats: [{ key: 's' }] });
    await creator.call('POST', `/api/v1/hosting/spaces/${slug}/rollback`, { version: 2 });
    assert.deepEqual((await declared.boards(slug)).at(-1)?.key, 'v2');
    const after = (await statusOf(version.id)).report.findings;
    assert.ok(after.every(({ rule }: { rule: string }) => rule !== 'declarations'));
  });

  it('of an older version that passes late take no effect', async () => {
    const { slug } = await publish({ boards: [{ key: 'first' }] });
    const older = await create({ space: slug, boards: [{ key: 'older' }] });
    const newer = await create({ space: slug, boards: [{ key: 'newer' }] });
    await finish(newer.json().version.id);
    await service.settle();
    await finish(older.json().version.id);
    await service.settle();
    assert.equal((await statusOf(older.json().version.id)).status, 'live');
    assert.deepEqual(await declared.sources(slug), ['first:page', 'newer:page']);
  });
});
