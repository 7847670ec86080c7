import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { testFolder } from '../../../test/prepared.ts';
import { unpackTo } from './npm-browser.ts';

describe('the browser of npm', () => {
  const { NODE_OPTIONS } = process.env;
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(testFolder, 'npm-browser-'));
  });
  after(async () => {
    if (NODE_OPTIONS === undefined) delete process.env.NODE_OPTIONS;
    else process.env.NODE_OPTIONS = NODE_OPTIONS;
    await rm(folder, { recursive: true });
  });

  it('leaves nothing behind if it cannot be unpacked', async () => {
    // The process that unpacks it does not start.
    process.env.NODE_OPTIONS = '--require=./missing.cjs';
    await assert.rejects(unpackTo(join(folder, 'browser')), /Cannot find module/u);
    assert.deepEqual(await readdir(folder), []);
  });
});
