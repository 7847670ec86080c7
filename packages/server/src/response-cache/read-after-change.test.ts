import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { publishFiles } from '../../test/files.ts';
import { startService, type TestService } from '../../test/service.ts';
import { makeShownStage, type ShownStage } from '../../test/shown-changes.ts';

/** Changes that a job makes a moment after the response. */
const later: ReadonlySet<string> = new Set(['a ban from the service']);

describe('a public read after a change', () => {
  let service: TestService;
  let stage: ShownStage;
  before(async () => {
    service = await startService();
    stage = await makeShownStage(service);
  });
  after(() => service.close());

  const readAll = () => Promise.all(stage.reads.map((path) => stage.read(0, path)));

  /** Fills the cache, changes something, and compares the responses then with newly made ones. */
  async function showsAtOnce(name: string, change: () => Promise<unknown>): Promise<void> {
    const before = await readAll();
    await change();
    if (later.has(name)) await service.settle();
    const after = await readAll();
    for (const [index, path] of stage.reads.entries())
      assert.equal(after[index], await stage.readAnew(0, path), `${path} after ${name}`);
    assert.notDeepEqual(after, before, `${name} is to be seen`);
  }

  // Pages contain relative times, which are not changes.
  it('shows the change', () =>
    service.clock.standing(async () => {
      for (const [name, change] of Object.entries(stage.changes))
        for (const twice of [0, 1]) {
          // These are done already the second time.
          if (twice === 1 && ['an unlock', 'scores deleted'].includes(name)) continue;
          await showsAtOnce(name, async () => {
            const answer = await change(0, 0);
            assert.ok(answer.status < 300, `${name}: ${answer.status} ${answer.text()}`);
          });
        }
    }));

  it('shows a version that went live, and a rollback', () =>
    service.clock.standing(async () => {
      const { creator, slug } = stage.arena;
      const fields = { title: 'Another' };
      await showsAtOnce('a version', async () => {
        await publishFiles(creator, { 'index.html': 'second' }, { space: slug, fields }, { live: true });
        await service.settle();
      });
      await showsAtOnce('a rollback', async () => {
        const path = `/api/v1/hosting/spaces/${slug}/rollback`;
        assert.equal((await creator.call('POST', path, { version: 1 })).status, 200);
      });
    }));
});
