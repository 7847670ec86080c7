import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { declaredOf, many } from '../../test/declared.ts';
import { listing, publishFiles, publishLive, smallGame } from '../../test/files.ts';
import { type PageServer, proofTag, startPages } from '../../test/pages.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';

const rounds = 4;

describe('concurrent declarations from versions, the API and the page', () => {
  let pages: PageServer;
  let service: TestService;
  let creator: Persona;
  let declared: ReturnType<typeof declaredOf>;
  before(async () => {
    pages = await startPages();
    service = await startService({
      environment: { FETCH_ALLOW: pages.address, PUBLISHES_PER_HOUR: '500', CHECKS_PER_HOUR: '500' },
    });
    creator = await service.creator();
    declared = declaredOf(service, creator);
  });
  after(async () => {
    await service.close();
    await pages[Symbol.asyncDispose]();
  });

  const what = (prefix: string) => ({
    boards: many(6, prefix),
    stats: many(30, prefix),
    achievements: many(30, prefix),
  });
  /** Declares boards in one call, and achievements in another. */
  const byApi = (slug: string) =>
    Promise.all([
      declared.put(slug, what('api').boards),
      declared.putAchievements(slug, { stats: what('api').stats, achievements: what('api').achievements }),
    ]);

  /**
   * Checks the limits, live and in the sandbox. What the API accepted must be there
   * completely, or not at all.
   */
  async function expectCaps(slug: string, api: { status: number }[]): Promise<void> {
    const boards = await declared.boards(slug);
    const { stats, achievements } = await declared.achievements(slug);
    const sandbox = await declared.sandbox(slug);
    for (const [list, max] of [
      [boards, 10],
      [stats, 50],
      [achievements, 50],
      [sandbox.boards, 10],
      [sandbox.stats, 50],
      [sandbox.achievements, 50],
    ] as const)
      assert.ok(list.length <= max, `${list.length} of ${max}`);
    const ofApi = (list: readonly { key: string }[]) =>
      list.filter(({ key }) => key.startsWith('api')).length;
    const [boardsPut, achievementsPut] = api;
    for (const { status } of api) assert.ok(status === 200 || status === 409, String(status));
    assert.equal(ofApi(boards), boardsPut?.status === 200 ? 6 : 0);
    assert.equal(ofApi(stats), achievementsPut?.status === 200 ? 30 : 0);
    assert.equal(ofApi(achievements), achievementsPut?.status === 200 ? 30 : 0);
  }

  it('never pass the caps of a hosted space', async () => {
    for (let round = 0; round < rounds; round++) {
      const { slug } = (await publishLive(service, creator)).space;
      const [api] = await Promise.all([
        byApi(slug),
        publishFiles(creator, smallGame, { space: slug, ...what('live') }, { live: true }).then(
          () => service.settle(),
          // It is refused at create or finish if the API was first.
          (error) => assert.equal(error.code, 'too_many'),
        ),
        publishFiles(creator, smallGame, { space: slug, ...what('tried') }).catch((error) =>
          assert.equal(error.code, 'too_many'),
        ),
      ]);
      await service.settle();
      await expectCaps(slug, api);
    }
  });

  it('never pass the caps of a listed space', async () => {
    for (let round = 0; round < rounds; round++) {
      const path = `/page-${round}`;
      const url = pages.put(path, proofTag(creator.handle));
      const { slug } = (await creator.call('POST', '/api/spaces', { url, ...listing })).json();
      const block = `<script type="application/service+json">${JSON.stringify(what('page'))}</script>`;
      pages.put(path, proofTag(creator.handle) + block);
      const [api, verified] = await Promise.all([
        byApi(slug),
        creator.call('POST', '/api/spaces/verify', { slug }),
      ]);
      assert.equal(verified.status, 200, verified.text());
      await expectCaps(slug, api);
      const ofPage = (await declared.boards(slug)).filter(({ source }) => source === 'page').length;
      assert.equal(ofPage, verified.json().page_warning === null ? 6 : 0, 'all of a block, or nothing');
    }
  });
});
