import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startClamdServer } from '../../test/clamd-server.ts';
import { page } from '../../test/files.ts';
import { connectMcp, type Era } from '../../test/mcp-client.ts';
import { startService, type TestService } from '../../test/service.ts';
import '../../test/one-engine.ts';

describe('the progress of a call of /mcp', () => {
  let service: TestService;
  const letScan = Promise.withResolvers<void>();
  const scanner = startClamdServer({ until: letScan.promise });
  before(async () => {
    service = await startService({ environment: { CLAMD: (await scanner).address } });
  });
  after(async () => {
    await service.close();
    await (await scanner).close();
  });

  it('is told to a client that asks for it, until the answer', { timeout: 60_000 }, async () => {
    const publish = async (era: Era, onprogress: ((told: { progress: number }) => void) | undefined) => {
      await using anybody = await connectMcp(service.baseUrl, { era });
      const files = [{ path: 'index.html', text: page }];
      const call = { name: 'publish', arguments: { files, wait: 60 } };
      const { structuredContent } = await anybody.client.callTool(call, onprogress && { onprogress });
      return Object(structuredContent).checked;
    };
    const numbers = { modern: [] as number[], legacy: [] as number[] };
    const calls = (['modern', 'legacy'] satisfies Era[]).map((era) =>
      publish(era, ({ progress }) => {
        numbers[era].push(progress);
        // The check ends only after both clients have heard twice that their calls go on.
        if (Math.min(numbers.modern.length, numbers.legacy.length) === 2) letScan.resolve();
      }),
    );
    assert.deepEqual(await Promise.all([...calls, publish('modern', undefined)]), [true, true, true]);
    for (const [era, told] of Object.entries(numbers))
      assert.deepEqual(
        told,
        told.map((_, index) => index + 1),
        era,
      );
  });
});
