import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { acceptedCodings } from '../serving/accept-encoding.ts';

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);
/** Smaller ones fit into the first packets as they are. */
const leastBytes = 1_400;
/** Documents are made anew for every request: most of what is won, at a millisecond or two. */
const brotliQuality = 4;

export interface Compressed {
  readonly coding: 'br' | 'gzip' | null;
  readonly bytes: Buffer;
}

/** A document in the smallest form that its reader takes (Accept-Encoding). */
export async function compress(document: string, accepts: string | undefined): Promise<Compressed> {
  const bytes = Buffer.from(document);
  const { br, gzip: gz, anything } = acceptedCodings(accepts);
  if (bytes.length < leastBytes || anything) return { coding: null, bytes };
  if (br > 0) {
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    };
    return { coding: 'br', bytes: await toBrotli(bytes, { params }) };
  }
  return gz > 0 ? { coding: 'gzip', bytes: await toGzip(bytes) } : { coding: null, bytes };
}
