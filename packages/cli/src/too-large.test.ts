import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeCli } from '../test/fake-cli.ts';
import { exitCodes } from './exit-codes.ts';

const fake = fakeCli();
const { useSettings, json } = fake;

test('what is too large for an account comes with what helps', async () => {
  useSettings();
  const nextOf = async (details: object) => {
    fake.service.intercept = () => ({
      status: 413,
      body: { error: 'Too much.', code: 'too_large', ...details },
    });
    const { code, document } = await json(['publish', 'game']);
    assert.equal(code, exitCodes.invalid);
    return document.error.next;
  };
  const ofService = 'DELETE http://service.test/api/v1/hosting/versions/{id}';
  const full = await nextOf({ maxBytes: 9, usedBytes: 9, newBytes: 1, next: ofService });
  assert.match(
    full,
    /^Delete what is not needed: spaceport spaces and .*, spaceport delete-version NUMBER /u,
  );
  assert.match(await nextOf({ maxFileBytes: 9 }), /^Compress sounds, /u);
  assert.match(await nextOf({ maxVersionBytes: 9 }), /^Compress sounds, /u);
  assert.equal(await nextOf({ maxBodyBytes: 9, next: 'Less.' }), 'Less.');
});
