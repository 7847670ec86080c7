import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { startServerProcess } from './server-process.ts';
import { startService } from './service.ts';
import { firstPids, isGone, withSeveral } from './several-processes.ts';

describe('a server of several processes', () => {
  it('is refused on SQLite with a message', async () => {
    await assert.rejects(
      startServerProcess({ PORT: '0', PROCESSES: 'auto' }),
      /ended with 1 .*PROCESSES: more than one process needs PostgreSQL/su,
    );
  });

  it('says why it cannot start, and exits', async () => {
    const test = await startService();
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    try {
      const { port } = taken.address() as AddressInfo;
      await assert.rejects(
        startServerProcess({ ...test.environment, PORT: String(port), PROCESSES: '2' }),
        new RegExp(`ended with 1 .*Port ${port} is in use`, 'su'),
      );
    } finally {
      taken.close();
      await test.close();
    }
  });

  it('ends all its processes when the first is killed', async () => {
    await withSeveral(async (several) => {
      const pids = await firstPids(several);
      await several.server.end('SIGKILL');
      await Promise.all(pids.map(isGone));
    });
  });
});
