import { byteOrderMark, publishedEncoding } from '@spaceport/contract/page-text';
import type { ServedAs } from './served-as.ts';

const maxTextBytes = 8 * 1024 * 1024;
const minRun = 512;
const keptOfRun = 64;

/**
 * Collects the text of a page or script, at most 8 MiB. Larger ones lose their
 * embedded data (base64) and padding.
 */
export class PageText {
  /** True if some of the text was left out. */
  cut = false;
  private readonly pieces: Buffer[] = [];
  private length = 0;
  private squeezing = false;

  take(bytes: Buffer): void {
    if (this.cut) return;
    this.keep(this.squeezing ? squeeze(bytes) : Buffer.from(bytes));
    if (this.length <= maxTextBytes) return;
    if (!this.squeezing) {
      this.squeezing = true;
      const all = squeeze(Buffer.concat(this.pieces));
      this.pieces.length = 0;
      this.length = 0;
      this.keep(all);
    }
    this.cut = this.length > maxTextBytes;
  }

  /** Returns the bytes in their own memory, so that they can be transferred to another thread. */
  bytes(): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(Math.min(this.length, maxTextBytes));
    let at = 0;
    for (const piece of this.pieces) {
      bytes.set(piece.subarray(0, bytes.length - at), at);
      at = Math.min(at + piece.length, bytes.length);
    }
    return bytes;
  }

  private keep(bytes: Buffer): void {
    this.pieces.push(bytes);
    this.length += bytes.length;
  }
}

/**
 * Decodes text as a browser does: a page as it is published, others as UTF-8, or UTF-16 by their byte order mark.
 * `isLegible` is false if letters of a page may come out wrong.
 */
export function decoded(
  bytes: Uint8Array,
  servedAs: ServedAs,
): { text: string; encoding: string; isLegible: boolean } {
  if (servedAs === 'html') {
    const { encoding, isCertain } = publishedEncoding(bytes);
    return { text: new TextDecoder(encoding).decode(bytes), encoding, isLegible: isCertain };
  }
  const encoding = byteOrderMark(bytes) ?? 'utf-8';
  return { text: new TextDecoder(encoding).decode(bytes), encoding, isLegible: true };
}

const isData = bytesOf(/[A-Za-z0-9+/=]/u);
const isSpace = bytesOf(/[ \t\r\n\f]/u);

/** Shortens long runs of base64 or white space, which no rule reads. Both are ASCII, so UTF-8 stays valid. */
function squeeze(bytes: Buffer): Buffer {
  const kept: Buffer[] = [];
  let keptTo = 0;
  for (let from = 0; from < bytes.length; ) {
    const byte = bytes[from] ?? 0;
    const kind = isData[byte] ? isData : isSpace;
    let to = from + 1;
    if (kind[byte]) while (to < bytes.length && kind[bytes[to] ?? 0]) to++;
    if (to - from >= minRun) {
      kept.push(bytes.subarray(keptTo, from + keptOfRun));
      keptTo = to;
    }
    from = to;
  }
  return Buffer.concat([...kept, bytes.subarray(keptTo)]);
}

function bytesOf(pattern: RegExp): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) => (pattern.test(String.fromCharCode(byte)) ? 1 : 0));
}
