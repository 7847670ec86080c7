import type { Picture } from '../platform/browser/visit.ts';
import { pictureSize, smallPictureSize } from '../platform/browser/visit.ts';
import { ServiceError } from '../platform/errors.ts';

/** A picture of more pixels costs more memory than a cover is worth: a bomb of a few kilobytes unpacks to gigabytes. */
const maxPixels = 25_000_000;
const maxSeconds = 10;
const quality = 82;

/** One at a time: each may take a hundred megabytes for a moment. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Makes both sizes of a cover out of a PNG, JPEG or WebP, whatever its header claims to be: turned as its camera held
 * it, cut to 16:9 around its middle, without anything else that it carried.
 * @throws `invalid`
 */
export function encodeCover(bytes: Uint8Array): Promise<Omit<Picture, 'isPlain'>> {
  const made = last.then(() => encode(bytes));
  last = made.catch(() => {});
  return made;
}

async function encode(bytes: Uint8Array): Promise<Omit<Picture, 'isPlain'>> {
  // Loaded when it is first needed: it brings 40 MB of libraries.
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  sharp.concurrency(1);
  const sized = async ({ width, height }: { width: number; height: number }) => {
    const encoded = await sharp(bytes, { limitInputPixels: maxPixels, failOn: 'error', pages: 1 })
      .timeout({ seconds: maxSeconds })
      .rotate()
      .resize(width, height, { fit: 'cover' })
      .flatten({ background: '#ffffff' })
      .webp({ quality })
      .toBuffer();
    return new Uint8Array(encoded);
  };
  if (!isPicture(bytes)) throw notPicture('is no PNG, JPEG or WebP picture');
  try {
    return { large: await sized(pictureSize), small: await sized(smallPictureSize) };
  } catch {
    throw notPicture(`cannot be read as a picture, or has more than ${maxPixels / 1_000_000} million pixels`);
  }
}

/** By their first bytes: libvips would read SVG, TIFF and more, which nobody was promised. */
function isPicture(bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  return (
    head.startsWith('\x89PNG\r\n\x1a\n') || head.startsWith('\xff\xd8\xff') || /^RIFF.{4}WEBP/su.test(head)
  );
}

function notPicture(message: string): ServiceError {
  return new ServiceError('invalid', `The body ${message}.`, { issues: [{ path: '', message }] });
}
