import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';
import { pictureSize, smallPictureSize } from '../platform/browser/visit.ts';
import { unreadable } from './picture-process.ts';

/**
 * The program of the process that reads untrusted pictures: one picture on stdin, both sizes of it as WebP on
 * stdout, each after its length in four bytes. It exits with `unreadable` if the input is not a picture.
 *
 * Arguments: the most pixels, and the milliseconds after which it ends on its own, in
 * case the service is gone.
 */
const [maxPixels = 0, ownEndMs = 0] = process.argv.slice(2).map(Number);
const quality = 82;

setTimeout(() => process.exit(unreadable), ownEndMs).unref();
sharp.cache(false);
sharp.concurrency(1);
void answer();

async function answer(): Promise<void> {
  const picture = await buffer(process.stdin);
  try {
    for (const { width, height } of [pictureSize, smallPictureSize]) {
      const encoded = await sharp(picture, { limitInputPixels: maxPixels, failOn: 'error', pages: 1 })
        .rotate()
        .resize(width, height, { fit: 'cover' })
        .flatten({ background: '#ffffff' })
        .webp({ quality })
        .toBuffer();
      const length = Buffer.alloc(4);
      length.writeUInt32BE(encoded.length);
      process.stdout.write(length);
      process.stdout.write(encoded);
    }
  } catch {
    process.exitCode = unreadable;
  }
}
