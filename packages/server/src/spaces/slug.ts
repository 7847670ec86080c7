import { randomLabel } from '../platform/secrets/id.ts';
import { inLatin, picturesIn } from './in-latin.ts';

const minLength = 3;
const maxLength = 48;
// No space gets a name that looks like the service's own, or that a resolver or browser treats specially.
const reserved = new Set([
  'www',
  'api',
  'app',
  'admin',
  'mail',
  'ftp',
  'localhost',
  'static',
  'assets',
  'service',
  'play',
  'temp',
  'xn',
]);

/**
 * Makes a slug from a title: 3 to 48 of a-z, 0-9 and single hyphens. Other scripts are written as they sound. A title
 * of pictures alone gives their names, and one without anything to read a random slug.
 */
export async function slugFromTitle(title: string): Promise<string> {
  const words = hyphenated(await inLatin(title)) || hyphenated(await picturesIn(title));
  if (words === '') return `space-${randomLabel(6)}`;
  if (words.length < minLength || reserved.has(words)) return `${words}-space`;
  return words;
}

function hyphenated(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/['’]/gu, '')
    .replaceAll(/[^a-z0-9]+/gu, '-')
    .replaceAll(/^-+|-+$/gu, '')
    .slice(0, maxLength)
    .replace(/-+$/u, '');
}

/**
 * Returns the slug to try next if `slug` is taken: first numbered, then random, so that
 * common titles find one too.
 */
export function nextSlug(slug: string, attempt: number): string {
  const suffix = attempt <= 5 ? String(attempt + 1) : randomLabel(attempt <= 8 ? 4 : 8);
  return `${slug.slice(0, maxLength - suffix.length - 1).replace(/-+$/u, '')}-${suffix}`;
}
