import { promisify } from 'node:util';
import * as zlib from 'node:zlib';

/** The codings that `decode` undoes, as an Accept-Encoding header. */
export const acceptedCodings = 'gzip, deflate, br, zstd';

export class BodyTooLarge extends Error {}

/** More than one is legal and never seen; each one multiplies what a few bytes can blow up to. */
const maxCodings = 2;
/** RFC 9659: a zstd frame for HTTP needs a window of 8 MiB at most. zlib would otherwise take 128 MiB for one. */
const zstdParameters = { [zlib.constants.ZSTD_d_windowLogMax]: 23 };

/** All of a stream; rejects with BodyTooLarge, and leaves the stream destroyed, at the first byte over the bound. */
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

/** The first bytes of a stream, which is left destroyed: those that came before it broke, where it does. */
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
    // Nobody waits for the rest.
  }
  return Buffer.concat(chunks, length).subarray(0, most);
}

/**
 * Undoes the codings of a Content-Encoding header (RFC 9110 §8.4: last applied, first undone), each within
 * `maxBytes`: a compressed bomb is given up within one chunk (16 KiB) of the bound. Rejects with BodyTooLarge,
 * or with another Error where a coding is unknown or its bytes are broken.
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

/** RFC 9110 means zlib's format by `deflate`; servers send the bare one too, and browsers read both. */
function hasZlibHeader(bytes: Buffer): boolean {
  return bytes.length >= 2 && ((bytes[0] ?? 0) & 0x0f) === 8 && bytes.readUInt16BE(0) % 31 === 0;
}

const gunzip = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.gunzip);
const inflate = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.inflate);
const inflateRaw = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.inflateRaw);
const brotliDecompress = promisify<Buffer, zlib.BrotliOptions, Buffer>(zlib.brotliDecompress);
const zstdDecompress = promisify<Buffer, zlib.ZstdOptions, Buffer>(zlib.zstdDecompress);
