import type { Transform } from 'node:stream';
import { constants, createBrotliCompress, createGzip, createZstdCompress } from 'node:zlib';

export const contentCodings = ['br', 'zstd', 'gzip'] as const;
export type ContentCoding = (typeof contentCodings)[number];

const mebibyte = 1024 * 1024;
/**
 * 8 MiB: the largest window of zstd that browsers accept (RFC 9659). Brotli needs less, except in its "large
 * window" form, which browsers do not accept.
 */
const zstdWindowBits = 23;

/**
 * Returns a compressor for files that are written once, read often, and served soon: `sizeBytes` of input
 * take some seconds per 100 MB. The highest levels would take minutes.
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
