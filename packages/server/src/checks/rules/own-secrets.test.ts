import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashSecret, issueSecret } from '../../platform/secrets/secret.ts';
import { versionOf } from './checked-files.fixture.ts';
import { ownSecrets } from './own-secrets.ts';

test('a valid credential is refused, an invalid one mentioned, and neither is repeated', async () => {
  const live = issueSecret('secret');
  const past = issueSecret('token');
  const version = versionOf(
    {
      'config.js': `const key = "${live}";`,
      'data/pack.bin': `\0\xff${past}\0`,
      'index.html': '<p>sp_secret_',
    },
    { liveSecrets: async (hashes) => new Set(hashes.filter((hash) => hash === hashSecret(live))) },
  );
  const findings = await ownSecrets.check(version);
  assert.deepEqual(
    findings.map(({ severity, path }) => [severity, path]),
    [
      ['refuse', 'config.js'],
      ['warn', 'data/pack.bin'],
    ],
  );
  const text = JSON.stringify(findings);
  assert.ok(!text.includes(live) && !text.includes(past));
});

test('text that only looks like a credential is let through', async () => {
  const broken = `${issueSecret('secret').slice(0, -6)}000000`;
  const asked: unknown[] = [];
  const version = versionOf(
    { 'a.js': broken },
    {
      liveSecrets: async (hashes) => {
        asked.push(hashes);
        return new Set();
      },
    },
  );
  assert.deepEqual(await ownSecrets.check(version), []);
  assert.deepEqual(asked, []);
});
