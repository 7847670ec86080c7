import assert from 'node:assert/strict';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { TestClock } from '../../../test/clock.ts';
import '../../../test/one-engine.ts';
import { testFolder } from '../../../test/prepared.ts';
import { startService } from '../../app.ts';
import { createLog } from '../log.ts';
import { noteUse, olderThanUsed } from './last-seen.ts';

it('a database file that was put back without its -wal is told from the one that was used', async (context) => {
  const DATA_DIR = await mkdtemp(join(testFolder, 'put-back-'));
  context.after(() => rm(DATA_DIR, { recursive: true }));
  const environment = { PORT: '0', DATA_DIR, BROWSER: 'none' };
  const clock = new TestClock();
  const told: string[] = [];
  const log = createLog({ LOG_LEVEL: 'silent' });
  log.warn = (text: string) => void told.push(text);
  const run = () => startService({ environment, role: 'work', clock, log });
  const file = join(DATA_DIR, 'spaceport.db');

  await (await run()).close();
  await copyFile(file, `${file}.old`);
  const later = await run();
  for (const _ of [1, 2]) {
    clock.advance({ minutes: 10 });
    await noteUse(later.platform);
  }
  assert.equal(await olderThanUsed(later.platform), null);
  clock.advance({ days: 3 });
  for (const _ of [1, 2]) await noteUse(later.platform);
  clock.advance({ days: -3 });
  await noteUse(later.platform);
  assert.equal(await olderThanUsed(later.platform), null, 'a clock that was ahead is right again');
  await later.close();
  assert.deepEqual(told, []);

  await copyFile(`${file}.old`, file);
  for (const end of ['-wal', '-shm']) await rm(`${file}${end}`, { force: true });
  for (const _ of [1, 2]) await (await run()).close();
  assert.equal(told.length, 1);
  assert.match(told[0] ?? '', /^spaceport\.db is older than .* are missing/u);
});
