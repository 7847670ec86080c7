import type { Transform } from 'node:stream';
import { constants, createBrotliCompress, createGzip, createZstdCompress } from 'node:zlib';

export const contentCodings = ['br', 'zstd', 'gzip'] as const;
export type ContentCoding = (typeof contentCodings)[number];

const mebibyte = 1024 * 1024;
/**
 * 8 MiB: the largest window that browsers take, for zstd by RFC 9659, and more than brotli needs below its
 * "large window" form, which browsers do not take at all.
 */
const zstdWindowBits = 23;

/**
 * A compressor for files that are written once and read often, yet soon to be served: `sizeBytes` of input take
 * some seconds per 100 MB, where the highest levels would take minutes.
 */
export function compressor(coding: ContentCoding, sizeBytes: number): Transform {
  switch (coding) {
    case 'br':
      return createBrotliCompress({
        params: {
          [constants.BROTLI_PARAM_QUALITY]: sizeBytes < mebibyte ? 9 : 6,
          [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
          [constants.BROTLI_PARAM_SIZE_HINT]: sizeBytes,
        },
      });
    case 'zstd':
      return createZstdCompress({
        pledgedSrcSize: sizeBytes,
        params: {
          [constants.ZSTD_c_compressionLevel]: 12,
          ...(sizeBytes > mebibyte ? { [constants.ZSTD_c_windowLog]: zstdWindowBits } : {}),
        },
      });
    case 'gzip':
      return createGzip({ level: 9 });
  }
}
