import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { formOf, formType, tarOf } from '../../test/archives.ts';
import { warningsOf } from '../../test/warnings.ts';
import type { Part } from './archive.ts';
import { spoolParts } from './form-parts.ts';
import { Spool } from './spool.ts';
import { tarEntries } from './tar-entries.ts';

const size = 4 * 1024 * 1024;
const large = { 'large.bin': Buffer.alloc(size, 'x') };

async function spoolOf(context: TestContext): Promise<Spool> {
  const folder = await mkdtemp(join(tmpdir(), 'spool-'));
  context.after(() => rm(folder, { recursive: true }));
  const spool = await Spool.create(folder);
  context.after(() => spool.close());
  return spool;
}

async function bytesIn(parts: AsyncIterable<Uint8Array>): Promise<number> {
  return (await Array.fromAsync(parts)).reduce((sum, { length }) => sum + length, 0);
}

test('a large tar waits for its reader without a listener for each wait', async (context) => {
  const spool = await spoolOf(context);
  await spool.append(await tarOf(large));
  const limits = { maxFileBytes: size, maxVersionBytes: size };
  let bytes = 0;
  const warnings = await warningsOf(async () => {
    for await (const entry of tarEntries(spool, { limits, zipped: false }))
      bytes += await bytesIn(entry.read());
  });
  assert.equal(bytes, size);
  assert.deepEqual(warnings, []);
});

test('a large file of a form waits for the disk without a listener for each wait', async (context) => {
  const form = formOf(large);
  async function* body(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < form.length; at += 65_536) yield form.subarray(at, at + 65_536);
  }
  let parts: Part[] = [];
  const spool = await spoolOf(context);
  const warnings = await warningsOf(async () => {
    parts = await spoolParts({ 'content-type': formType }, body(), spool);
  });
  assert.equal(parts[0]?.bytes.size, size);
  assert.deepEqual(warnings, []);
});
