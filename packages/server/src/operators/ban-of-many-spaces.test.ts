import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { actingBetween } from '../../test/between.ts';
import { readMetrics } from '../../test/metrics.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';
import { signUp } from '../../test/visitor.ts';
import { type AccountId, givenId, type SpaceId } from '../platform/db/ids.ts';
import type { LeasedJob } from '../platform/jobs/queue.ts';
import { newId } from '../platform/secrets/id.ts';
import { createIndexAccountJob, mostWithChange } from '../search/index-many.ts';
import { createSpace } from '../spaces/spaces.ts';

/** More than a change of an account indexes by itself. */
const many = mostWithChange + 40;

describe('an account with hundreds of spaces', () => {
  let service: TestService;
  let operator: Persona;
  let other: SpaceId;
  before(async () => {
    service = await startService({ environment: { SIGN_UPS_PER_HOUR: '1000' } });
    operator = await service.creator('ops', { operator: true });
    await service.creator('small');
    [other = givenId('spc', '')] = await list('small', 1);
    await db().updateTable('spaces').set({ plays: 9 }).where('id', '=', other).execute();
  });
  after(() => service.close());

  const db = () => service.service.platform.database.db;
  const idOf = async (handle: string): Promise<AccountId> =>
    (await db().selectFrom('creators').select('id').where('handle', '=', handle).executeTakeFirstOrThrow())
      .id;
  /** Lists pages that run elsewhere. They are titled «Moon» and the handle. */
  async function list(handle: string, count: number): Promise<SpaceId[]> {
    const { database } = service.service.platform;
    const owner_id = await idOf(handle);
    const fields = {
      title: `Moon ${handle}`,
      space_type: 'game' as const,
      devices: ['desktop' as const],
      tags: [`tag-${handle}`],
    };
    return database.transaction(async (tx) => {
      const ids: SpaceId[] = [];
      for (let at = 0; at < count; at++) {
        const url = `https://example.org/${handle}/${at}`;
        const slug = `${handle}-${at}`;
        const { id } = await createSpace(tx, fields, { owner_id, hosted: 0, claimed: 1, url, slug });
        await tx.db.insertInto('space_urls').values({ url_key: slug, space_id: id }).execute();
        ids.push(id);
      }
      return ids;
    });
  }
  const change = async (handle: string, action: 'ban' | 'unban') => {
    const answer = await operator.call('POST', `/api/operator/accounts/${handle}/${action}`, { reason: 'r' });
    assert.equal(answer.status, 200, answer.text());
  };
  const found = async (query: string): Promise<string[]> => {
    const { spaces } = (await service.anonymous.call('GET', `/api/gallery?${query}`)).json();
    return spaces.map(({ slug }: { slug: string }) => slug.replace(/-\d+$/u, ''));
  };
  /** Returns whether a search finds any, and how many of at most 100 the lists have: by a tag, and of all spaces. */
  const anywhere = async (handle: string) => {
    const [searched = 0, ...listed] = (
      await Promise.all([
        found(`q=${handle}`),
        found(`tag=tag-${handle}&limit=100`),
        found('sort=played&limit=100'),
      ])
    ).map((slugs) => slugs.filter((slug) => slug === handle).length);
    return [searched > 0, ...listed];
  };
  const statements = async () =>
    (await readMetrics(service)).sum('spaceport_database_duration_seconds_count', { of: 'statement' });
  const indexed = async (owner: AccountId) =>
    (
      await db()
        .selectFrom('search_docs')
        .innerJoin('spaces', 'spaces.id', 'search_docs.space_id')
        .select('spaces.id')
        .where('owner_id', '=', owner)
        .execute()
    ).length;
  const rowOf = (id: SpaceId) =>
    db().selectFrom('spaces').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

  it('is banned and comes back in few statements, and is found as soon as a job has indexed it', async () => {
    await service.creator('prolific');
    const ids = await list('prolific', many);
    const owner = await idOf('prolific');
    const [plain, offline, held, deleted, hidden] = ids as [SpaceId, SpaceId, SpaceId, SpaceId, SpaceId];
    const set = (id: SpaceId, values: object) =>
      db().updateTable('spaces').set(values).where('id', '=', id).execute();
    await set(offline, { state: 'offline', standing: 'listed', offline: 1 });
    await set(held, { state: 'held', states_before: '["listed"]' });
    await set(deleted, { state: 'deleted', standing: 'listed', deleted_at: 5 });
    await set(hidden, { page_unlisted: 1 });
    for (const id of [offline, held, deleted, hidden])
      for (const table of ['search_docs', 'search_labels'] as const)
        await db().deleteFrom(table).where('space_id', '=', id).execute();
    const before = await Promise.all(ids.map(rowOf));
    const bystander = await rowOf(other);
    assert.deepEqual((await anywhere('prolific')).slice(0, 2), [true, 100]);

    await service.holdJobs(async () => {
      const first = await statements();
      await change('prolific', 'ban');
      const used = (await statements()) - first;
      assert.ok(used < many / 2, `${used} statements`);
      assert.deepEqual(await anywhere('prolific'), [false, 0, 0]);
      assert.deepEqual(await anywhere('small'), [true, 1, 1]);
      assert.deepEqual([await indexed(owner), await rowOf(other)], [0, bystander]);
      const states = await Promise.all([plain, offline, held, deleted, hidden].map(rowOf));
      assert.deepEqual(
        states.map(({ state, standing, owner_banned }) => [state, standing, owner_banned]),
        [
          ['hidden', 'listed', 1],
          ['hidden', 'listed', 1],
          ['held', null, 1],
          ['deleted', 'listed', 1],
          ['hidden', 'listed', 1],
        ],
      );
      assert.equal((await service.get(`${service.baseUrl}/s/prolific-0`)).status, 410);

      const second = await statements();
      await change('prolific', 'unban');
      const lifting = (await statements()) - second;
      assert.ok(lifting < many / 2, `${lifting} statements`);
      const after = await Promise.all(ids.map(rowOf));
      const plainOf = ({ revision: _, updated_at: _at, ...row }: (typeof before)[number]) => row;
      assert.deepEqual(after.map(plainOf), before.map(plainOf));
      assert.ok(after.every(({ revision }, index) => revision === (before[index]?.revision ?? 0) + 2));
      assert.equal((await service.get(`${service.baseUrl}/s/prolific-0`)).status, 200);
      assert.equal((await anywhere('prolific'))[2], 99);
      assert.equal(await indexed(owner), 0);
      assert.deepEqual(await anywhere('small'), [true, 1, 1]);

      // A process that dies leaves what it has indexed, and the next run goes on.
      const { platform } = service.service;
      let pieces = 0;
      const dying = createIndexAccountJob(
        actingBetween(platform, async () => {
          pieces += 1;
          if (pieces === 3) throw new Error('the process died');
        }),
      );
      const signal = new AbortController().signal;
      const given = { ref: owner, signal } as unknown as LeasedJob;
      await assert.rejects(dying.run(given), /died/u);
      const some = await indexed(owner);
      assert.ok(some > 0 && some < many / 2, `${some} are indexed`);
      assert.deepEqual((await anywhere('prolific')).slice(0, 2), [true, some]);
    });
    await service.settle();
    assert.deepEqual((await anywhere('prolific')).slice(0, 2), [true, 100]);
    assert.equal(await indexed(owner), many - 4);
    const labels = await db()
      .selectFrom('search_labels')
      .select('space_id')
      .where('label', '=', 'tag-prolific')
      .execute();
    assert.equal(labels.length, many - 4);
    assert.deepEqual(await rowOf(other), bystander);
  });

  it('that is banned again before that is not indexed', async () => {
    await service.creator('returning');
    await list('returning', many);
    await change('returning', 'ban');
    await service.holdJobs(async () => {
      await change('returning', 'unban');
      await change('returning', 'ban');
    });
    await service.settle();
    assert.deepEqual(await anywhere('returning'), [false, 0, 0]);
    assert.equal(await indexed(await idOf('returning')), 0);
  });

  it('is deleted in few statements, and leaves its addresses to others', async () => {
    const who = await signUp(service, { handle: 'leaving' });
    const ids = await list('leaving', many);
    const owner = await idOf('leaving');
    const checking = newId('ver');
    await db()
      .insertInto('versions')
      .values({
        id: checking,
        space_id: ids[7] ?? null,
        number: 1,
        status: 'checking',
        stopped: 0,
        fields: '{}',
        declarations: '{}',
        files: 0,
        bytes: 0,
        created_by: owner,
        created_at: 1,
        links_expire_at: 1,
        left_behind: 0,
      } as never)
      .execute();
    const bystander = await rowOf(other);
    const first = await statements();
    assert.equal((await who.call('DELETE', '/api/account', { password: who.password })).status, 200);
    const used = (await statements()) - first;
    assert.ok(used < many / 2, `${used} statements`);
    assert.deepEqual(await anywhere('leaving'), [false, 0, 0]);
    const rows = await Promise.all(ids.map(rowOf));
    assert.ok(rows.every(({ state, deleted_at }) => state === 'deleted' && deleted_at !== null));
    const stopped = await db()
      .selectFrom('versions')
      .select(['stopped', 'reason'])
      .where('id', '=', checking)
      .executeTakeFirstOrThrow();
    assert.deepEqual([stopped.stopped, stopped.reason], [1, 'The space was deleted before the check ended.']);
    const urls = await db().selectFrom('space_urls').select('space_id').execute();
    assert.deepEqual(
      urls.map(({ space_id }) => space_id).filter((id) => ids.includes(id)),
      [],
    );
    assert.ok(urls.some(({ space_id }) => space_id === other));
    assert.deepEqual([await rowOf(other), await indexed(owner)], [bystander, 0]);
  });
});
