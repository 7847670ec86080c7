import assert from 'node:assert/strict';
import { it } from 'node:test';
import { startClamdServer } from '../../test/clamd-server.ts';
import { publishFiles, smallGame } from '../../test/files.ts';
import { startService } from '../../test/service.ts';
import { createCheckJob, createPreviewCheckJob } from './check-job.ts';

it('a version whose check fails again and again is unjudged, and its report says so', async () => {
  // The scanner holds the service's own checks back.
  const ended = Promise.withResolvers<void>();
  const clamd = await startClamdServer({ until: ended.promise });
  const service = await startService({ environment: { CLAMD: clamd.address } });
  try {
    const creator = await service.creator();
    const [waiting, preview] = [
      await publishFiles(creator, smallGame, {}, { live: true }),
      await publishFiles(creator, smallGame),
    ].map(({ version }) => version.id);
    assert.ok(waiting && preview);
    const { platform } = service.service;
    const options = { rules: [], liveSecrets: async () => new Set<string>(), checkPage: async () => null };
    for (const [create, ref] of [
      [createCheckJob, waiting],
      [createPreviewCheckJob, preview],
    ] as const)
      await create(platform, options).givenUp?.({ ref, confirm: async () => {} }, new Error('A rule fails.'));
    const read = (id: string) => creator.client.readVersion({ params: { id } });
    const judged = await read(waiting);
    assert.equal(judged.status, 'unjudged');
    assert.match(judged.reason ?? '', /^The safety check failed several times\./u);
    const { status, report } = await read(preview);
    assert.equal(status, 'preview');
    assert.deepEqual(
      report?.findings.map(({ rule, severity }) => [rule, severity]),
      [['check', 'unjudged']],
    );
  } finally {
    ended.resolve();
    await service.close();
    await clamd.close();
  }
});
