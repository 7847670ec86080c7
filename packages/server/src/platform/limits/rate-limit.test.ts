import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startService, type TestService } from '../../../test/service.ts';
import { type RateAnswer, sweepRateHits, takeFromLimit } from './rate-limit.ts';

describe('a limit', () => {
  let service: TestService;
  before(async () => {
    service = await startService({ role: 'serve' });
  });
  after(() => service.close());

  const take = (bucket: string): Promise<RateAnswer> =>
    service.service.platform.database.transaction((tx) =>
      takeFromLimit(tx, bucket, { count: 2, seconds: 3_600 }),
    );

  it('allows its count in any span of its length, and says when the next use is possible', () =>
    service.clock.standing(async () => {
      const used = async () => {
        const answer = await take('sliding');
        return answer.allowed || answer.retryAfterSeconds;
      };
      assert.equal(await used(), true);
      service.clock.advance({ seconds: 10 });
      assert.deepEqual([await used(), await used()], [true, 3_590]);
      service.clock.advance({ seconds: 3_589 });
      assert.equal(await used(), 1);
      service.clock.advance({ seconds: 1 });
      assert.deepEqual([await used(), await used()], [true, 10]);
      service.clock.advance({ seconds: 10 });
      assert.deepEqual([await used(), await used()], [true, 3_590]);
      const { database } = service.service.platform;
      const none = await database.transaction((tx) => takeFromLimit(tx, 'none', { count: 0, seconds: 60 }));
      assert.deepEqual(none, { allowed: false, retryAfterSeconds: 60 });
    }));

  it('is open again when a clock that was ahead is right again', async () => {
    service.clock.advance({ days: 30 });
    for (const allowed of [true, true, false]) assert.equal((await take('ahead')).allowed, allowed);
    service.clock.advance({ days: -30 });
    for (const allowed of [true, true, false]) assert.equal((await take('ahead')).allowed, allowed);
    const answer = await take('ahead');
    assert.ok(!answer.allowed && answer.retryAfterSeconds <= 3_600);
  });

  it('forgets uses that no window can hold', async () => {
    const { database } = service.service.platform;
    service.clock.advance({ days: 30 });
    await take('forgotten');
    service.clock.advance({ days: -60 });
    await take('forgotten');
    service.clock.advance({ days: 30 });
    await take('forgotten');
    await sweepRateHits(database, service.clock.now());
    const left = await database.db
      .selectFrom('rate_hits')
      .select('at')
      .where('bucket', '=', 'forgotten')
      .execute();
    assert.equal(left.length, 1);
  });
});
