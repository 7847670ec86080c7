import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { checksumsOf, signatureOf } from './checksums.ts';

const folder = mkdtempSync(join(tmpdir(), 'spaceport-sums-'));
after(() => rmSync(folder, { recursive: true }));

function put(name: string, content: string | Buffer): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

const pem = (type: 'ed25519' | 'x25519') => {
  const made = type === 'ed25519' ? generateKeyPairSync('ed25519') : generateKeyPairSync('x25519');
  return {
    secret: made.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    open: made.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  };
};

describe('the checksums of a release', () => {
  it('are accepted by sha256sum, until a byte changes', async () => {
    const archive = put('a.tgz', 'as it was built');
    const sums = put('SHA256SUMS', await checksumsOf([archive, put('b.json', '{}')]));
    const check = () => spawnSync('sha256sum', ['--check', sums], { cwd: folder }).status;
    assert.equal(check(), 0);
    put('a.tgz', 'as it was built.');
    assert.equal(check(), 1);
  });

  it('have a signature that openssl accepts, but not for another text or key', () => {
    const { secret, open } = pem('ed25519');
    const signature = put('sums.sig', signatureOf('sums', secret));
    const verify = (text: string, key: string) =>
      spawnSync(
        'openssl',
        ['pkeyutl', '-verify', '-pubin', '-inkey', put('key.pem', key), '-rawin'].concat([
          ...['-in', put('sums', text), '-sigfile', signature],
        ]),
      ).status;
    assert.equal(execFileSync('openssl', ['version']).length > 0, true);
    assert.equal(verify('sums', open), 0);
    assert.notEqual(verify('sums.', open), 0);
    assert.notEqual(verify('sums', pem('ed25519').open), 0);
  });

  it('can be signed with an Ed25519 key only', () => {
    assert.throws(() => signatureOf('sums', pem('x25519').secret), /Ed25519/u);
  });
});
