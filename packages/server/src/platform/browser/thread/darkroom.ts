import type { Browser, Page } from 'playwright-core';
import { type Picture, pictureSize, smallPictureSize } from '../visit.ts';

/**
 * A frame that was shrunk to a few points (RGBA, 0 to 255), so that each is an average of its surroundings.
 */
export type Sample = readonly number[];

const sampleSize = { width: 64, height: 36 };
/**
 * The largest range, of 255, in any channel of a blank frame. Compression and dithering stay below it; one
 * word of small text does not.
 */
const blankSpread = 8;
const stillDifference = 3;
const quality = 0.82;

/**
 * A page of our own, in a separate context and process, that examines frames and converts them to WebP. The
 * browser has all codecs that would need a native module here.
 */
export interface Darkroom {
  /** @param png in base64 */
  sample(png: string): Promise<Sample>;
  develop(png: string): Promise<Picture>;
}

export async function openDarkroom(browser: Browser): Promise<Darkroom> {
  const page = await (await browser.newContext()).newPage();
  return {
    sample: (png) => page.evaluate(sampleInPage, { png, ...sampleSize }),
    develop: async (png) => ({
      isPlain: isPlain(await page.evaluate(sampleInPage, { png, ...sampleSize })),
      large: await encoded(page, png, pictureSize),
      small: await encoded(page, png, smallPictureSize),
    }),
  };
}

async function encoded(
  page: Page,
  png: string,
  size: { width: number; height: number },
): Promise<Uint8Array<ArrayBuffer>> {
  const webp = new Uint8Array(
    Buffer.from(await page.evaluate(encodeInPage, { png, ...size, quality }), 'base64'),
  );
  const isWebp =
    Buffer.from(webp.subarray(0, 12))
      .toString('latin1')
      .replace(/^(RIFF).{4}/su, '$1') === 'RIFFWEBP';
  if (!isWebp) throw new Error('the browser did not encode WebP');
  return webp;
}

/** Returns whether everything has one colour. */
export function isBlank(sample: Sample): boolean {
  for (let channel = 0; channel < 3; channel++) {
    let low = 255;
    let high = 0;
    for (let index = channel; index < sample.length; index += 4) {
      const value = sample[index] ?? 0;
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
    if (high - low > blankSpread) return false;
  }
  return true;
}

/** The share of the points of a plain sample that have the most common colour, or one that looks the same. */
const plainShare = 0.985;
const sameColour = 24;

/** Returns whether everything except a few words or a button has one colour. */
export function isPlain(sample: Sample): boolean {
  const points = Array.from({ length: Math.floor(sample.length / 4) }, (_, index) =>
    sample.slice(index * 4, index * 4 + 3),
  );
  const keys = points.map((point) => point.map((value) => value >> 4).join());
  const counts = Map.groupBy(keys.keys(), (index) => keys[index] ?? '');
  const [commonest = []] = [...counts.values()].sort((one, other) => other.length - one.length);
  const ground = points[commonest[0] ?? 0] ?? [];
  const alike = points.filter((point) =>
    point.every((value, channel) => Math.abs(value - (ground[channel] ?? 0)) <= sameColour),
  );
  return alike.length / Math.max(1, points.length) >= plainShare;
}

/** Returns whether hardly anything moved between two samples. */
export function isStill(before: Sample, now: Sample): boolean {
  let difference = 0;
  for (const [index, value] of now.entries()) difference += Math.abs(value - (before[index] ?? 0));
  return difference / Math.max(1, now.length) < stillDifference;
}

// The two functions below run inside the page, and cannot use anything from outside themselves.

async function sampleInPage(given: { png: string; width: number; height: number }): Promise<number[]> {
  const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${given.png}`)).blob());
  const context = new OffscreenCanvas(given.width, given.height).getContext('2d');
  if (!context) throw new Error('no canvas');
  context.imageSmoothingQuality = 'high';
  context.drawImage(image, 0, 0, given.width, given.height);
  return [...context.getImageData(0, 0, given.width, given.height).data];
}

async function encodeInPage(given: {
  png: string;
  width: number;
  height: number;
  quality: number;
}): Promise<string> {
  const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${given.png}`)).blob());
  const canvas = new OffscreenCanvas(given.width, given.height);
  const context = canvas.getContext('2d', { alpha: false });
  if (!context) throw new Error('no canvas');
  context.imageSmoothingQuality = 'high';
  context.drawImage(image, 0, 0, given.width, given.height);
  const blob = await canvas.convertToBlob({ type: 'image/webp', quality: given.quality });
  const { promise, resolve } = Promise.withResolvers<string>();
  const reader = new FileReader();
  reader.onload = () => resolve(String(reader.result));
  reader.readAsDataURL(blob);
  return (await promise).replace(/^[^,]*,/u, '');
}
