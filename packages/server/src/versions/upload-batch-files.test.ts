import assert from 'node:assert/strict';
import { it } from 'node:test';
import { maxFiles } from '@spaceport/contract/versions';
import { givenId } from '../platform/db/ids.ts';
import { ServiceError } from '../platform/errors.ts';
import { receiveBatch } from './upload-batch.ts';

it('a batch of links without an end is refused after as many files as a version may have', async () => {
  let received = 0;
  let isClosed = false;
  async function* body() {
    try {
      for (;;) yield Buffer.from('the link of an empty file\n'.repeat(100));
    } finally {
      isClosed = true;
    }
  }
  const grant = { versionId: givenId('ver', 'ver_1'), hash: 'h', size: 0, expiresAtSeconds: 0 };
  const batch = receiveBatch(body(), {
    maxFileBytes: 1,
    readLink: () => grant,
    async receive({ hash, size }, source) {
      for await (const _chunk of source) received += 1;
      return { sha256: hash, size };
    },
  });
  await assert.rejects(batch, (error) => error instanceof ServiceError && error.code === 'too_many_files');
  assert.deepEqual([received, isClosed], [maxFiles, true]);
});
