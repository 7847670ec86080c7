import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { testFolder } from '../../../test/prepared.ts';
import { isOutage } from '../outage.ts';
import { Scratch } from './scratch.ts';

it('a temporary folder that cannot be used is an outage, and no fault of what is compressed', async (context) => {
  const parent = await mkdtemp(join(testFolder, 'spaceport-scratch-'));
  context.after(() => rm(parent, { recursive: true }));
  const folder = join(parent, 'tmp');
  await writeFile(folder, '');
  const scratch = new Scratch(folder, 1);
  await assert.rejects(scratch.append(new Uint8Array(2)), isOutage);
  await scratch.close();
});
