import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { maxTextBytes } from '../body-cache.ts';
import { type FileAnswer, type HeaderChoices, variantMaker } from '../file-answer.ts';
import type { MediaType } from '../media-types.ts';
import type { Policy } from '../policy-headers.ts';

const brotli = promisify(brotliCompress);
const deflate = promisify(gzip);

/** Smaller bodies are not worth compressing. */
const leastBytes = 256;
/**
 * Compression levels that save nearly as much as the best ones, and take milliseconds for a page, or a tenth
 * of a second for a page with everything inside.
 */
const smallBytes = 128 * 1024;
const quality = { small: 9, large: 4 };

/**
 * Makes an answer from bytes that were made here, whole and in memory. It has the same conditions, codings
 * and ranges as a stored file.
 * @param name the name of the bytes, from which the ETag is made
 */
export async function answerOfBytes(
  bytes: Buffer,
  name: string,
  media: MediaType,
  policy: Policy,
  choices: HeaderChoices,
): Promise<FileAnswer> {
  const variant = variantMaker(media, policy, choices);
  const made = (coding: 'br' | 'gzip' | 'identity', body: Buffer) =>
    variant({
      coding,
      key: name,
      size: body.length,
      body: body.length <= maxTextBytes ? body.toString('latin1') : body,
      tag: coding === 'identity' ? `"${name}"` : `"${name}-${coding}"`,
    });
  const identity = made('identity', bytes);
  const forms =
    bytes.length < leastBytes ? [] : await Promise.all([packed('br', bytes), packed('gzip', bytes)]);
  const smaller = forms
    .filter(([, body]) => body.length < bytes.length)
    .sort(([, one], [, other]) => one.length - other.length)
    .map(([coding, body]) => made(coding, body));
  const [first = identity, ...others] = [...smaller, identity];
  return { variants: [first, ...others], identity, hasRanges: choices.hasRanges, isCodedByAuthor: false };
}

async function packed(coding: 'br' | 'gzip', bytes: Buffer): Promise<['br' | 'gzip', Buffer]> {
  const isSmall = bytes.length <= smallBytes;
  if (coding === 'gzip') return [coding, await deflate(bytes, { level: isSmall ? 9 : 6 })];
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: isSmall ? quality.small : quality.large,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  return [coding, await brotli(bytes, { params })];
}
