import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { actingBetween } from '../../test/between.ts';
import { startService, type TestService } from '../../test/service.ts';
import { withoutAccount } from '../../test/without-account.ts';
import { sweepUnlistedPages } from './expiry.ts';
import { findExpiredPages } from './unlisted.queries.ts';

let service: TestService;
before(async () => {
  service = await startService();
});
after(() => service.close());

it('a page without an account is deleted in time although another one cannot be', async () => {
  const { published } = withoutAccount(() => service);
  for (const title of ['one', 'another']) await published(title);
  service.clock.advance({ days: 8 });
  const { platform } = service.service;
  const left = async () => (await findExpiredPages(platform.database.db, platform.clock.now(), 10)).length;
  assert.equal(await left(), 2);
  let isFirst = true;
  const swept = sweepUnlistedPages(
    actingBetween(platform, async () => {
      if (!isFirst) return;
      isFirst = false;
      throw new Error('canceling statement due to statement timeout');
    }),
  );
  await assert.rejects(swept, /1 pages were not deleted/u);
  assert.equal(await left(), 1);
  await sweepUnlistedPages(platform);
  assert.equal(await left(), 0);
});
