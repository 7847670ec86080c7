import { createHash } from 'node:crypto';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/**
 * The beginning of a `dcz` body (RFC 9842 §5): a frame that zstd skips, which holds the dictionary's SHA-256.
 */
const magic = Buffer.from([0x5e, 0x2a, 0x4d, 0x18, 0x20, 0x00, 0x00, 0x00]);
const hashBytes = 32;
const level = 9;
const mebibyte = 1024 * 1024;
/**
 * The limits of the table size (log2). Tables smaller than both files find few matches; larger ones than
 * these gain nothing and take memory.
 */
const tableLogs = { least: 17, most: 24 };

/** Returns a file compressed with another one as raw dictionary, in the format of `Content-Encoding: dcz`. */
export function deltaOf(file: Buffer, dictionary: Buffer): Buffer {
  const tableLog = Math.min(
    tableLogs.most,
    Math.max(tableLogs.least, bitsOf(file.length + dictionary.length)),
  );
  const packed = zstdCompressSync(file, {
    dictionary,
    params: {
      [constants.ZSTD_c_compressionLevel]: level,
      [constants.ZSTD_c_windowLog]: windowLog(file.length, dictionary.length),
      [constants.ZSTD_c_hashLog]: tableLog,
      [constants.ZSTD_c_chainLog]: tableLog,
    },
  });
  return Buffer.concat([magic, createHash('sha256').update(dictionary).digest(), packed]);
}

/** Returns whether the delta decodes to the file with this dictionary. */
export function isDeltaOf(delta: Buffer, file: Buffer, dictionary: Buffer): boolean {
  const packed = delta.subarray(magic.length + hashBytes);
  return zstdDecompressSync(packed, { dictionary, maxOutputLength: file.length + 1 }).equals(file);
}

/**
 * Returns the window size (log2). The dictionary can be used until the window has passed it, so the window is
 * the whole file. But clients need not accept one larger than both 8 MiB and 1.25 times the dictionary (RFC
 * 9842 §5).
 */
function windowLog(fileBytes: number, dictionaryBytes: number): number {
  const most = Math.max(8 * mebibyte, 1.25 * dictionaryBytes);
  return fileBytes <= most ? Math.max(10, bitsOf(fileBytes)) : Math.floor(Math.log2(most));
}

function bitsOf(bytes: number): number {
  return Math.ceil(Math.log2(Math.max(2, bytes)));
}
