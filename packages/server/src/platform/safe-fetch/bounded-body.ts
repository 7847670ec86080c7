import { promisify } from 'node:util';
import * as zlib from 'node:zlib';

/** The codings that `decode` undoes, as an Accept-Encoding header. */
export const acceptedCodings = 'gzip, deflate, br, zstd';

export class BodyTooLarge extends Error {}

/**
 * More than one coding is legal but never seen, and each multiplies the possible size of the decoded body.
 */
const maxCodings = 2;
/** RFC 9659: a zstd frame for HTTP needs a window of at most 8 MiB. By default zlib would take 128 MiB. */
const zstdParameters = { [zlib.constants.ZSTD_d_windowLogMax]: 23 };

/**
 * Returns all bytes of a stream.
 * @throws `BodyTooLarge` at the first byte above the limit; then the stream is destroyed
 */
export async function collect(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > maxBytes) throw new BodyTooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}

/**
 * Returns the first bytes of a stream, and destroys it. If the stream breaks, the bytes before that are
 * returned.
 */
export async function firstBytes(body: AsyncIterable<Uint8Array>, most: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= most) break;
    }
  } catch {
    // The rest is not needed.
  }
  return Buffer.concat(chunks, length).subarray(0, most);
}

/**
 * Undoes the codings of a Content-Encoding header (RFC 9110 §8.4: the last one applied is the first one
 * undone). Each is limited to `maxBytes`: a compression bomb is given up within one chunk (16 KiB) of the
 * limit.
 * @throws `BodyTooLarge`, or another Error if a coding is unknown or its bytes are broken
 */
export async function decode(body: Buffer, contentEncoding: string, maxBytes: number): Promise<Buffer> {
  const codings = contentEncoding
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity');
  if (codings.length > maxCodings) throw new Error('too many content codings');
  let bytes = body;
  for (const coding of codings.reverse()) bytes = await decodeOne(bytes, coding, maxBytes);
  return bytes;
}

async function decodeOne(bytes: Buffer, coding: string, maxOutputLength: number): Promise<Buffer> {
  if (bytes.length === 0) return bytes;
  try {
    switch (coding) {
      case 'gzip':
      case 'x-gzip':
        return await gunzip(bytes, { maxOutputLength });
      case 'deflate':
        return await (hasZlibHeader(bytes) ? inflate : inflateRaw)(bytes, { maxOutputLength });
      case 'br':
        return await brotliDecompress(bytes, { maxOutputLength });
      case 'zstd':
        return await zstdDecompress(bytes, { maxOutputLength, params: zstdParameters });
      default:
        throw new Error('unknown content coding');
    }
  } catch (error) {
    if (error instanceof RangeError) throw new BodyTooLarge();
    throw error;
  }
}

/** In RFC 9110 `deflate` means zlib's format. Some servers send raw deflate, and browsers read both. */
function hasZlibHeader(bytes: Buffer): boolean {
  return bytes.length >= 2 && ((bytes[0] ?? 0) & 0x0f) === 8 && bytes.readUInt16BE(0) % 31 === 0;
}

const gunzip = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.gunzip);
const inflate = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.inflate);
const inflateRaw = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.inflateRaw);
const brotliDecompress = promisify<Buffer, zlib.BrotliOptions, Buffer>(zlib.brotliDecompress);
const zstdDecompress = promisify<Buffer, zlib.ZstdOptions, Buffer>(zlib.zstdDecompress);
