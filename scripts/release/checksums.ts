import { createHash, createPrivateKey, sign } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';

/** Returns checksums in the format of `sha256sum`, for `sha256sum --check`. */
export async function checksumsOf(files: readonly string[]): Promise<string> {
  const lines = await Promise.all(
    files.map(async (file) => {
      const hash = createHash('sha256').update(await readFile(file));
      return `${hash.digest('hex')}  ${basename(file)}\n`;
    }),
  );
  return lines.join('');
}

/**
 * Returns the Ed25519 signature of a text, 64 bytes, for `openssl pkeyutl -verify -rawin`
 * (docs/self-hosting.md).
 * @param key the private key as PEM, from `openssl genpkey -algorithm ed25519`
 * @throws an error for any other key
 */
export function signatureOf(text: string, key: string): Buffer {
  const privateKey = createPrivateKey(key);
  if (privateKey.asymmetricKeyType !== 'ed25519')
    throw new Error('A release is signed with an Ed25519 key: openssl genpkey -algorithm ed25519');
  return sign(null, Buffer.from(text), privateKey);
}
