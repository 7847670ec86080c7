import assert from 'node:assert/strict';
import { test } from 'node:test';
import { zipOf } from '../../test/archives.ts';
import type { Stored } from './spool.ts';
import { zipEntries } from './zip-entries.ts';

function storedIn(bytes: Buffer): Stored {
  return {
    size: bytes.length,
    async *read(start = 0, end = bytes.length) {
      yield bytes.subarray(start, end);
    },
  };
}

test('names are read in UTF-8 where they are that, whether or not the archive says so', async () => {
  const raw = (bytes: Uint8Array) => ({ name: '', rawName: bytes, content: 'x' });
  const zip = zipOf({ 'é.png': 'x' }, [
    // macOS decomposes names, too.
    raw(Buffer.from('画像/cafe\u0301.png')),
    raw(Buffer.from('plain.png')),
    // CP437, as old programs on Windows write it.
    raw(Buffer.from([0x82, 0x2e, 0x70, 0x6e, 0x67])),
  ]);
  const names = (await Array.fromAsync(zipEntries(storedIn(zip)))).map(({ name }) => name);
  assert.deepEqual(names, ['é.png', '画像/cafe\u0301.png', 'plain.png', 'é.png']);
});
