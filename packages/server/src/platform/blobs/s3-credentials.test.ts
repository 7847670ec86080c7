import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, afterEach, before, describe, it } from 'node:test';
import { startInstanceMetadata } from '../../../test/instance-metadata.ts';
import { type S3Keys, s3Url, type TestS3 } from '../../../test/s3-address.ts';
import { startS3, withoutS3 } from '../../../test/s3-server.ts';
import { StoreUnavailable } from './blob-store.ts';
import { usualTiming } from './s3-connection.ts';
import { openS3Store } from './s3-store.ts';

const patient = { ...usualTiming, connectMs: 30_000, answerMs: 60_000, sendMs: 120_000, pulseMs: 60_000 };

describe('credentials that the store’s address does not contain', { skip: await withoutS3() }, () => {
  let server: TestS3;
  let folder: string;
  const given = { ...process.env };
  before(async () => {
    server = await startS3();
    folder = await mkdtemp(join(tmpdir(), 'spaceport-keys-'));
  });
  after(async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });
  afterEach(() => {
    for (const name of Object.keys(process.env)) {
      if (name.startsWith('AWS_')) delete process.env[name];
    }
    Object.assign(process.env, given);
  });

  /** Makes sure that no credentials of this machine are found. */
  function set(environment: Record<string, string>): void {
    const nowhere = join(folder, 'nowhere');
    const none = {
      AWS_SHARED_CREDENTIALS_FILE: nowhere,
      AWS_CONFIG_FILE: nowhere,
      AWS_EC2_METADATA_DISABLED: 'true',
    };
    Object.assign(process.env, none, environment);
  }

  async function writes(): Promise<void> {
    const store = await openS3Store(s3Url(server.endpoint), patient);
    try {
      const bytes = Buffer.from('hello');
      const hash = createHash('sha256').update(bytes).digest('hex');
      const key = await store.write(Readable.from([Buffer.from(bytes)]), { hash, size: bytes.length });
      assert.ok((await store.read(key)).equals(bytes));
    } finally {
      await store.close();
    }
  }

  /** Wrong keys are refused, so keys that are accepted were used. */
  async function uses(give: (keys: S3Keys) => Promise<void>): Promise<void> {
    await give(server.keys);
    await writes();
    await give({ ...server.keys, secret: 'another' });
    await assert.rejects(writes(), StoreUnavailable);
  }

  it('are found in the environment', () =>
    uses(async ({ keyId, secret }) => {
      set({ AWS_ACCESS_KEY_ID: keyId, AWS_SECRET_ACCESS_KEY: secret });
    }));

  it('are found in a file, by profile', () =>
    uses(async ({ keyId, secret }) => {
      const file = join(folder, `keys-${secret.length}`);
      await writeFile(
        file,
        `[default]\naws_access_key_id = nobody\naws_secret_access_key = none\n\n[games]\naws_access_key_id = ${keyId}\naws_secret_access_key = ${secret}\n`,
      );
      set({ AWS_SHARED_CREDENTIALS_FILE: file, AWS_PROFILE: 'games' });
    }));

  it('are read from the metadata service of the machine', async (t) => {
    const metadata = await startInstanceMetadata(server.keys);
    t.after(metadata.stop);
    set({ AWS_EC2_METADATA_DISABLED: 'false', AWS_EC2_METADATA_SERVICE_ENDPOINT: metadata.endpoint });
    await writes();
    assert.equal(metadata.asked[0], 'PUT /latest/api/token');
    assert.ok(metadata.asked.length >= 3, metadata.asked.join('\n'));
  });

  it('make the store unavailable when they are missing', async () => {
    set({});
    await assert.rejects(writes(), StoreUnavailable);
  });
});
