import { z } from 'zod';
import { parseUrl } from './parse-url.ts';
import { hasHiddenCharacters, invisibleProblem } from './visible-text.ts';

const controlCharacters = /[\p{Cc}]/u;
const controlCharactersButLineBreaks = /[\u0000-\u0009\u000b\u000c\u000e-\u001f\u007f-\u009f]/u;

/**
 * A schema for text whose length is counted in Unicode code points, as a person would count.
 */
export function text(min: number, max: number, options: { lineBreaks?: boolean } = {}) {
  const forbidden = options.lineBreaks ? controlCharactersButLineBreaks : controlCharacters;
  return z
    .string()
    .refine((value) => !forbidden.test(value), 'must not contain control characters')
    .refine((value) => !hasHiddenCharacters(value), invisibleProblem)
    .refine(
      (value) => {
        // There are never more code points than code units, so the spread runs only if it can change the
        // result.
        const length = value.length <= max && min <= 1 ? value.length : [...value].length;
        return length >= min && length <= max && (min === 0 || value.trim() !== '');
      },
      min === 0
        ? `must be at most ${max} characters`
        : `must be ${min} to ${max} characters, not only spaces`,
    )
    .meta({ minLength: min, maxLength: max });
}

/** ISO 8601 in UTC with milliseconds. */
export const timestamp = z.string().meta({ format: 'date-time', examples: ['2026-01-31T12:00:00.000Z'] });

/** 64 lower-case hex digits. */
export const sha256 = z.string().regex(/^[0-9a-f]{64}$/u, 'must be 64 lower-case hex digits');

export const webUrl = z
  .string()
  .max(2_000, 'must be at most 2000 characters')
  .superRefine((value, { addIssue }) => {
    const url = parseUrl(value);
    if (url !== null && (url.username !== '' || url.password !== ''))
      // `null` in its place: answers do not repeat a password.
      addIssue({ code: 'custom', input: null, message: 'must be without a user name and a password' });
    else if (url?.protocol !== 'https:' && url?.protocol !== 'http:')
      addIssue('must be an http or https address');
  })
  .meta({ format: 'uri' });

const plainDigits = /^(?:0|[1-9]\d*)$/u;

/** A whole number in a path or a query, in plain decimal digits: `1e3`, `0x1` and `+1` are refused. */
export function digits(min: number, max: number = Number.MAX_SAFE_INTEGER) {
  const toNumber = (value: unknown) =>
    typeof value === 'string' && plainDigits.test(value) ? Number(value) : value;
  const range = max === Number.MAX_SAFE_INTEGER ? `from ${min}` : `from ${min} to ${max}`;
  const words = `must be a whole number ${range} in plain digits`;
  return z.preprocess(toNumber, z.number(words).int(words).min(min, words).max(max, words));
}

/** The largest number of a version: 32 bits with a sign. */
const maxVersion = 2 ** 31 - 1;
/** The number of a version in a body. */
export const givenVersion = z.number().int().min(1).max(maxVersion);
/** The number of a version in a query. */
export const queriedVersion = digits(1, maxVersion);

/** `next` of a list with pages. */
export const nextCursor = z.string().nullable().describe('`cursor` of the next page; null on the last one.');
export const cursor = (maxLength: number) =>
  z.string().max(maxLength).optional().describe('`next` of the previous page.');
/** The number of entries of a page. */
export const pageLimit = (most: number, usual: number) =>
  digits(1, most).default(usual).describe('How many entries at most.');

export const yes = z.literal(true).describe('Always true.');
export const createdAt = timestamp.describe('When it was made.');
export const idParameter = z.string().max(200).describe('The id, from the list or answer that named it.');

export const slugParameter = z.string().max(200).meta({ description: 'The slug of a space.' });

export const handle = z
  .string()
  .regex(
    /^@?[a-zA-Z][a-zA-Z0-9_]{2,23}$/u,
    'must be a handle: 3 to 24 of a-z, 0-9 and _, starting with a letter',
  )
  .meta({ description: 'A handle; a leading @ is accepted.' });
