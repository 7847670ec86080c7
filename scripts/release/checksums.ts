import { createHash, createPrivateKey, sign } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';

/** As `sha256sum` writes them, and `sha256sum --check` reads them. */
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
 * The Ed25519 signature of a text, 64 bytes, which `openssl pkeyutl -verify -rawin` knows (docs/self-hosting.md).
 * @param key private, as PEM: what `openssl genpkey -algorithm ed25519` writes
 * @throws where it is no such key
 */
export function signatureOf(text: string, key: string): Buffer {
  const privateKey = createPrivateKey(key);
  if (privateKey.asymmetricKeyType !== 'ed25519')
    throw new Error('A release is signed with an Ed25519 key: openssl genpkey -algorithm ed25519');
  return sign(null, Buffer.from(text), privateKey);
}
