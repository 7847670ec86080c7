import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { hostingCodeOf } from '../../test/answers.ts';
import { zipOf } from '../../test/archives.ts';
import { type Files, smallGame } from '../../test/files.ts';
import { as, oneCallSettings, oneCalls } from '../../test/one-call.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';

describe('a publish in one call that is refused after its create', () => {
  let service: TestService;
  let ada: Persona;
  before(async () => {
    service = await startService({ environment: oneCallSettings });
    ada = await service.creator('ada');
  });
  after(() => service.close());

  const { send } = oneCalls(() => service);
  /** A game that gives away a token, which only its upload finds. */
  const leaking = (): Files => ({ ...smallGame, 'config.js': `const token = '${ada.token}';` });
  const rows = async () => {
    const { db } = service.service.platform.database;
    const counts = [];
    for (const table of ['spaces', 'slugs', 'versions', 'manifests', 'unlisted_pages'] as const)
      counts.push((await db.selectFrom(table).selectAll().execute()).length);
    return counts;
  };

  it('leaves no space, and the next one gets its slug', async () => {
    const before = await rows();
    const query = { title: 'Secret Game' };
    assert.deepEqual(hostingCodeOf(await send(zipOf(leaking()), query, as(ada))), [422, 'invalid_files']);
    assert.deepEqual(await rows(), before);
    const mended = await send(zipOf(smallGame), query, as(ada));
    assert.deepEqual([mended.status, mended.json().space?.slug], [201, 'secret-game'], mended.text());
  });

  it('leaves no page of somebody without an account', async () => {
    const before = await rows();
    assert.deepEqual(hostingCodeOf(await send(zipOf(leaking()))), [422, 'invalid_files']);
    assert.deepEqual(await rows(), before);
  });

  it('leaves a space that was there as it was', async () => {
    const own = (await send(zipOf(smallGame), { title: 'Own' }, as(ada))).json();
    const page = (await send(zipOf(smallGame))).json();
    const before = await rows();
    for (const [query, headers] of [
      [{ space: own.space.slug }, as(ada)],
      [{}, { 'x-service-claim': page.claimToken }],
    ] as const)
      assert.deepEqual(hostingCodeOf(await send(zipOf(leaking()), query, headers)), [422, 'invalid_files']);
    assert.deepEqual(await rows(), before);
    assert.equal((await service.get(page.space.url)).status, 200);
  });
});
