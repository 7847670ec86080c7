import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';

/**
 * Up to this size a file is read whole and hashed by the browser, which is several times as fast as script.
 */
const wholeFileBytes = 16 * 1024 * 1024;

/** Returns the SHA-256 of a blob as 64 lower-case hex digits, in constant memory. */
export async function hashBlob(blob: Blob, onBytes: (bytes: number) => void): Promise<string> {
  // A page over plain http has no `subtle`, unless it is from this machine.
  const { subtle } = globalThis.crypto as Partial<Crypto>;
  if (subtle && blob.size <= wholeFileBytes) {
    const digest = await subtle.digest('SHA-256', await blob.arrayBuffer());
    onBytes(blob.size);
    return bytesToHex(new Uint8Array(digest));
  }
  const hash = hashInPieces(onBytes);
  for (let at = 0; at < blob.size; at += wholeFileBytes / 4) {
    hash.update(new Uint8Array(await blob.slice(at, at + wholeFileBytes / 4).arrayBuffer()));
  }
  return hash.digest();
}

/** Returns an incremental hash. */
export function hashInPieces(onBytes: (bytes: number) => void) {
  const hash = sha256.create();
  return {
    update(piece: Uint8Array): void {
      hash.update(piece);
      onBytes(piece.byteLength);
    },
    digest: () => bytesToHex(hash.digest()),
  };
}
