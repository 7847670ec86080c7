import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { PackingProcess } from './packing-process.ts';

const text = Buffer.alloc(300_000, 'export function jump(player) { return player.y + 12; }\n');

async function* chunksOf(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 65_536) yield Buffer.from(bytes.subarray(at, at + 65_536));
}

describe('the process that packs', () => {
  let packing: PackingProcess;
  beforeEach(() => {
    packing = new PackingProcess();
  });
  afterEach(() => packing.close());

  const gzip = (bytes: Buffer, sizeBytes = bytes.length, signal?: AbortSignal) =>
    buffer(packing.compress('gzip', sizeBytes, async () => chunksOf(bytes), signal));

  it('compresses one file after another, in the same process', async () => {
    assert.ok(gunzipSync(await gzip(text)).equals(text));
    const pid = packing.idlePid;
    assert.ok(pid);
    const random = randomBytes(200_000);
    const packed = await buffer(packing.compress('br', random.length, async () => chunksOf(random)));
    assert.ok(brotliDecompressSync(packed).equals(random));
    assert.equal(packing.idlePid, pid);
  });

  it('ends before the service when memory runs out', { skip: process.platform !== 'linux' }, async () => {
    await gzip(text);
    const scoreOf = (pid: number | undefined) => readFile(`/proc/${pid}/oom_score_adj`, 'utf8');
    assert.equal(await scoreOf(packing.idlePid), '1000\n');
    assert.notEqual(await scoreOf(process.pid), '1000\n');
  });

  it('compresses files at the same time, and keeps one process', async () => {
    const forms = await Promise.all([gzip(text), gzip(text), gzip(text)]);
    for (const form of forms) assert.ok(gunzipSync(form).equals(text));
    assert.ok(packing.idlePid);
  });

  it('starts another process when the one that waited has died', async () => {
    await gzip(text);
    const { idlePid } = packing;
    assert.ok(idlePid);
    process.kill(idlePid, 'SIGKILL');
    // Until this process has heard of it, one file may fail.
    const again = await gzip(text).catch(() => gzip(text));
    assert.ok(gunzipSync(again).equals(text));
    assert.notEqual(packing.idlePid, idlePid);
  });

  it('fails the file in which it dies, and packs the next one', async () => {
    await gzip(text);
    const { idlePid } = packing;
    assert.ok(idlePid);
    async function* deadly(): AsyncGenerator<Uint8Array> {
      yield Buffer.from(text.subarray(0, 1_000));
      process.kill(idlePid ?? 0, 'SIGKILL');
      yield Buffer.from(text.subarray(1_000));
    }
    const broken = buffer(packing.compress('gzip', text.length, async () => deadly()));
    await assert.rejects(broken, /the packing process ended with SIGKILL/u);
    assert.equal(packing.idlePid, undefined);
    assert.ok(gunzipSync(await gzip(text)).equals(text));
  });

  it("fails with the source's own error, and when the file has another size", async () => {
    const failing = async () => {
      throw new Error('the store is away');
    };
    await assert.rejects(buffer(packing.compress('gzip', 10, failing)), /the store is away/u);
    await assert.rejects(gzip(text, text.length + 1), /does not have 300001 bytes/u);
    await assert.rejects(gzip(text, text.length - 1), /does not have 299999 bytes/u);
    assert.ok(gunzipSync(await gzip(text)).equals(text));
  });

  it('can be aborted while it waits for the file', async () => {
    const breakOff = new AbortController();
    async function* endless(): AsyncGenerator<Uint8Array> {
      yield Buffer.from(text.subarray(0, 1_000));
      breakOff.abort(new Error('enough'));
      await new Promise(() => {});
    }
    const broken = packing.compress('gzip', text.length, async () => endless(), breakOff.signal);
    await assert.rejects(buffer(broken), /enough/u);
    await assert.rejects(gzip(text, text.length, breakOff.signal), /enough/u);
  });

  it('ends after a time without files', async () => {
    packing = new PackingProcess(1);
    await gzip(text);
    while (packing.idlePid !== undefined) await new Promise((resolve) => setImmediate(resolve));
    assert.ok(gunzipSync(await gzip(text)).equals(text));
  });
});
