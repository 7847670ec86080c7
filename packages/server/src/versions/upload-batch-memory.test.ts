import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { givenId } from '../platform/db/ids.ts';
import { receiveBatch, type StoredFile } from './upload-batch.ts';

const size = 10_000;
const files = 500;
const chunkBytes = 64 * 1024;

test('a batch is read no further than its files can be stored', async () => {
  const body = Buffer.alloc(files * (size + 2), `a\n${'x'.repeat(size)}`);
  let sent = 0;
  async function* source() {
    for (; sent < body.length; sent += chunkBytes) yield Buffer.from(body.subarray(sent, sent + chunkBytes));
  }
  const waiting: (() => void)[] = [];
  let received = 0;
  const stored = receiveBatch(source(), {
    maxFileBytes: size,
    readLink: () => ({ versionId: givenId('ver', 'v'), hash: '', size, expiresAtSeconds: 0 }),
    async receive(_grant, bytes): Promise<StoredFile> {
      for await (const chunk of bytes) received += chunk.byteLength;
      await new Promise<void>((resolve) => waiting.push(resolve));
      return { sha256: '', size };
    },
  });
  let most = 0;
  for (let done = 0; done < files; done++) {
    while (waiting.length === 0) await nextTurn();
    for (let turn = 0; turn < 20; turn++) await nextTurn();
    most = Math.max(most, sent - done * size);
    waiting.shift()?.();
  }
  assert.equal((await stored).length, files);
  assert.equal(received, files * size);
  assert.ok(most < 512 * 1024, `${most} bytes were held`);
});
