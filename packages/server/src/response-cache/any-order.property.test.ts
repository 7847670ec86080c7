import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { askSoon } from '../../test/ask-until.ts';
import { contractWatch } from '../../test/contract-watch.ts';
import { startService, type TestService } from '../../test/service.ts';
import { covering, makeShownStage, type ShownStage } from '../../test/shown-changes.ts';
import { tries } from '../../test/tries.ts';
import { type Service, startService as startNode } from '../app.ts';
import { createLog } from '../platform/log.ts';

const onPostgres = process.env.TEST_ENGINE === 'postgres';

/** One node on SQLite, two on PostgreSQL. */
describe('changes and reads in any order', () => {
  let service: TestService;
  let other: Service | null = null;
  let stage: ShownStage;
  let nodes: readonly number[];
  before(async () => {
    service = await startService({ environment: { CHECKS_PER_HOUR: '10000' } });
    const { BASE_URL, PLAY_HOST, PREVIEW_HOST } = service.service.config;
    if (onPostgres)
      other = await startNode({
        // One service to the outside: the same addresses, whichever port a node listens on.
        environment: { ...service.environment, BASE_URL, PLAY_HOST, PREVIEW_HOST, PORT: '0' },
        role: 'serve',
        clock: service.clock,
        log: createLog({ LOG_LEVEL: 'silent' }),
        watch: contractWatch,
        pagesFolder: process.env.TEST_PAGES_FOLDER,
      });
    nodes = other ? [0, 1] : [0];
    stage = await makeShownStage(service, other ? [service.port, other.config.PORT] : [service.port]);
  });
  after(async () => {
    await other?.close();
    await service.close();
  });

  /**
   * Returns null if the kept response equals a newly made one. A job may change something between two looks.
   */
  async function isNewest(node: number, path: string): Promise<string | null> {
    const earlier = await stage.readAnew(node, path);
    const kept = await stage.read(node, path);
    if (kept === earlier) return null;
    const later = await stage.readAnew(node, path);
    return kept === later ? null : `${path} on ${node}:\n${kept}\nis older than\n${later}`;
  }

  /** Fills the caches, changes something while responses are made, and checks whether any is older. */
  async function changeAndRead(
    name: string,
    node: number,
    pick: number,
    paths: readonly string[],
  ): Promise<void> {
    const everywhere = paths.flatMap((path) => nodes.map((each) => [each, path] as const));
    const readAll = () => Promise.all(everywhere.map(([each, path]) => stage.read(each, path)));
    await Promise.all(everywhere.slice(nodes.length).map(([each, path]) => stage.read(each, path)));
    // Reads of responses that are not kept yet. They begin before the change is committed, and may end after
    // it.
    const racing = [readAll()];
    const changed = stage.changes[name]?.(node, pick);
    racing.push(readAll());
    await changed;
    for (const path of paths) assert.equal(await isNewest(node, path), null, `after ${name}`);
    await Promise.all(racing);
    for (const [each, path] of everywhere) await askSoon(() => isNewest(each, path), null);
  }

  it('never return a response older than the last change', async () => {
    const names = Object.keys(stage.changes);
    const step = fc.record({
      name: fc.constantFrom(...names),
      node: fc.constantFrom(...nodes),
      pick: fc.nat({ max: 3 }),
      paths: fc.uniqueArray(fc.constantFrom(...stage.reads), { minLength: 3, maxLength: 6 }),
    });
    const histories = fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 15 }), async (steps) => {
      for (const { name, node, pick, paths } of steps) {
        for (const _ of covering.has(name) ? ['done', 'undone'] : ['done'])
          await changeAndRead(name, node, pick, paths);
      }
    });
    // Pages contain relative times, which are not changes.
    await service.clock.standing(() =>
      fc.assert(histories, { numRuns: tries(4), interruptAfterTimeLimit: 60_000 }),
    );
  });
});
