import type { Picture } from '../platform/browser/visit.ts';
import { ServiceError } from '../platform/errors.ts';
import { encodeInProcess, type PictureLimits } from './picture-process.ts';

const usualLimits: PictureLimits = {
  // More pixels cost more memory than a cover is worth: a file of a few kilobytes may unpack to gigabytes.
  maxPixels: 25_000_000,
  maxMs: 15_000,
  maxMemoryBytes: 512 * 1024 * 1024,
};
/** The most covers that wait for their turn, each with its bytes in memory. */
const maxWaiting = 8;

/** Covers are encoded one at a time, because each may need a hundred megabytes for a moment. */
let last: Promise<unknown> = Promise.resolve();
let waiting = 0;

/**
 * Makes both sizes of a cover from a PNG, JPEG or WebP: rotated as its metadata says, cut to 16:9 around its
 * middle, and without any metadata. The format is told by the bytes, whatever the header claims.
 * @throws `invalid`, and `failed` if too many wait
 */
export async function encodeCover(
  bytes: Uint8Array,
  limits: PictureLimits = usualLimits,
): Promise<Omit<Picture, 'isPlain'>> {
  if (!isPicture(bytes)) throw notPicture('is no PNG, JPEG or WebP picture');
  if (waiting >= maxWaiting) {
    const message = 'Too many pictures are being made at once; try again.';
    throw new ServiceError('failed', message, { retryAfterSeconds: 10 });
  }
  waiting += 1;
  const made = last.then(() => encodeInProcess(bytes, limits));
  last = made.catch(() => {});
  try {
    const sizes = await made;
    if (sizes !== null) return sizes;
  } finally {
    waiting -= 1;
  }
  const megapixels = limits.maxPixels / 1_000_000;
  throw notPicture(`cannot be read as a picture, or has more than ${megapixels} million pixels`);
}

/** Checks the first bytes. libvips would also read SVG, TIFF and more, which are not supported here. */
function isPicture(bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  return (
    head.startsWith('\x89PNG\r\n\x1a\n') || head.startsWith('\xff\xd8\xff') || /^RIFF.{4}WEBP/su.test(head)
  );
}

function notPicture(message: string): ServiceError {
  return new ServiceError('invalid', `The body ${message}.`, { issues: [{ path: '', message }] });
}
