import { promisify } from 'node:util';
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib';
import { acceptedCodings } from '../serving/accept-encoding.ts';

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);
const toZstd = promisify(zstdCompress);
/** Smaller documents fit into the first packet uncompressed. */
const leastBytes = 1_400;
/** Documents are made for each request: this quality gains most of the size at a millisecond or two. */
const brotliQuality = 4;

export type DocumentCoding = 'br' | 'zstd' | 'gzip';

export interface Compressed {
  readonly coding: DocumentCoding | null;
  readonly bytes: Buffer;
}

/** Returns a document in the smallest coding that the client accepts (Accept-Encoding). */
export async function compress(document: string, accepts: string | undefined): Promise<Compressed> {
  const bytes = Buffer.from(document);
  const coding = codingFor(bytes.length, accepts);
  return { coding, bytes: coding === null ? bytes : await encode(bytes, coding) };
}

/** Returns the coding for a document of this length and an Accept-Encoding; null for none. */
export function codingFor(length: number, accepts: string | undefined): DocumentCoding | null {
  if (length < leastBytes || accepts === undefined) return null;
  const { br, zstd, gzip: gz, anything } = acceptedCodings(accepts);
  if (anything) return null;
  if (br > 0) return 'br';
  if (zstd > 0) return 'zstd';
  return gz > 0 ? 'gzip' : null;
}

export async function encode(bytes: Buffer, coding: DocumentCoding): Promise<Buffer> {
  if (coding === 'zstd') return toZstd(bytes);
  if (coding === 'gzip') return toGzip(bytes);
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  return toBrotli(bytes, { params });
}
