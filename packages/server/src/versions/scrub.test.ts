import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { KyselyPlugin } from 'kysely';
import { startService, type TestService } from '../../test/service.ts';
import { scrubFiles } from './scrub.ts';

describe('a scrub', () => {
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  it('ends when the files that it counted are deleted before it reads them', {
    timeout: 30_000,
  }, async () => {
    const { platform } = service.service;
    const { database } = platform;
    await scrubFiles(platform);
    const blob = { hash: 'a'.repeat(64), key: 'a', size: 1, public: 1 } as const;
    const rest = { shared_memory: 0, packed: 0, marked_at: null, created_at: service.clock.now() } as const;
    await database.db
      .insertInto('blobs')
      .values({ ...blob, ...rest })
      .execute();
    service.clock.advance({ days: 31 });
    let isCounted = false;
    const deleting: KyselyPlugin = {
      transformQuery({ node }) {
        isCounted ||= node.kind === 'UpdateQueryNode';
        return node;
      },
      async transformResult({ result }) {
        if (isCounted) await database.db.deleteFrom('blobs').execute();
        return result;
      },
    };
    const db = database.db.withPlugin(deleting);
    assert.equal(await scrubFiles({ ...platform, database: { ...database, db } }), 0);
    assert.ok(isCounted);
  });
});
