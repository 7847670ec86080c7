import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { readableLog } from '../../../test/log-lines.ts';
import { testFolder } from '../../../test/prepared.ts';
import { type ServerProcess, startServerProcess } from '../../../test/server-process.ts';
import { startService } from '../../app.ts';
import { holdFolder } from './folder-holder.ts';
import '../../../test/one-engine.ts';

describe('a data folder', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(testFolder, 'spaceport-held-'));
  });
  after(() => rm(folder, { recursive: true }));

  const hold = (port: number) => holdFolder(folder, { address: `http://localhost:${port}`, now: 0 });

  it('is held by the first who asks until it lets go, and the next is told who that is', () => {
    const first = hold(3001);
    assert.equal(first.other, null);
    for (const port of [3002, 3003])
      assert.match(
        hold(port).other ?? '',
        new RegExp(`^process ${process.pid} of \\S+, at http://localhost:3001 since 1970-01-01T`, 'u'),
      );
    first.release();
    const second = hold(3002);
    assert.equal(second.other, null);
    assert.match(hold(3001).other ?? '', /:3002 /u);
    second.release();
  });

  it('is nobody’s where nothing can be written', () => {
    assert.equal(holdFolder('/dev/null/nowhere', { address: '', now: 0 }).other, null);
  });
});

describe('a service on SQLite', () => {
  let folder: string;
  let first: ServerProcess;
  before(async () => {
    folder = await mkdtemp(join(testFolder, 'spaceport-twice-'));
    first = await startServerProcess({ PORT: '0', DATA_DIR: folder, BROWSER: 'none' });
  });
  after(() => rm(folder, { recursive: true }));

  /** Starts a second service there. Returns what it warns of. */
  async function warnings(role: 'all' | 'work'): Promise<string[]> {
    const { log, lines } = readableLog();
    const environment = { PORT: '0', DATA_DIR: folder, BROWSER: 'none' };
    const second = await startService({ environment, role, log });
    await second.close();
    return lines.filter(({ msg }) => msg.startsWith('Another service')).map(({ msg }) => msg);
  }

  it('warns that another one answers requests from its folder, and not when that was killed', async () => {
    const [said = ''] = await warnings('all');
    assert.match(
      said,
      new RegExp(
        `^Another service uses DATA_DIR \\(.*\\) already: process \\d+ of \\S+, at ${first.baseUrl} since`,
        'u',
      ),
    );
    assert.deepEqual(await warnings('work'), [], 'a worker may run beside it');
    await first.end('SIGKILL');
    assert.deepEqual(await warnings('all'), []);
  });
});
