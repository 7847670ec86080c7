import { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip } from 'node:zlib';

export type Packing = 'gzip' | 'brotli';

/**
 * Gzip is recognized by its first bytes under any name. Brotli has no such mark
 * and is recognized by its name.
 */
export function packingOf(path: string, head: Buffer): Packing | null {
  if (head.toString('latin1', 0, 3) === '\x1f\x8b\x08') return 'gzip';
  return /\.br$/iu.test(path) ? 'brotli' : null;
}

/**
 * The bytes that may still be unpacked. All files of a version share it, so that
 * many small bombs count as one.
 */
export interface UnpackBudget {
  bytes: number;
}

/**
 * Unpacks a stream and passes the bytes on.
 * @returns `whole`; `cut` if the budget or the limit of one file (`maxBytes`) was reached; `broken` if
 * the bytes are not in the format
 * @throws the errors of the packed stream
 */
export async function unpack(
  packed: AsyncIterable<Uint8Array>,
  packing: Packing,
  maxBytes: number,
  budget: UnpackBudget,
  take: (bytes: Buffer) => void,
): Promise<'whole' | 'cut' | 'broken'> {
  const source = Readable.from(packed, { objectMode: false });
  const decoder = packing === 'gzip' ? createGunzip() : createBrotliDecompress();
  let sourceError: unknown = null;
  source.on('error', (error) => {
    sourceError = error;
    decoder.destroy();
  });
  let left = Math.min(maxBytes, budget.bytes);
  try {
    for await (const chunk of source.pipe(decoder)) {
      const bytes = chunk as Buffer; // A zlib stream without an encoding gives buffers.
      left -= bytes.length;
      budget.bytes -= bytes.length;
      if (left < 0) return 'cut';
      take(bytes);
    }
  } catch (error) {
    if (sourceError !== null) throw sourceError;
    // These are zlib's codes (Z_DATA_ERROR, ERR_BROTLI_…, ERR__ERROR_…): the bytes are not in the format.
    if (error instanceof Error && 'code' in error) return 'broken';
    throw error;
  } finally {
    source.destroy();
    decoder.destroy();
  }
  if (sourceError !== null) throw sourceError;
  return 'whole';
}
