import { randomLabel } from '../platform/secrets/id.ts';

const minLength = 3;
const maxLength = 48;
// No space gets a name that reads as ours, or that a resolver or browser treats specially.
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
 * A slug out of a title: 3 to 48 of a-z, 0-9 and single hyphens (contract §3). A title with no usable letters
 * gets a random one.
 */
export function slugFromTitle(title: string): string {
  const words = title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/['’]/gu, '')
    .replaceAll(/[^a-z0-9]+/gu, '-')
    .replaceAll(/^-+|-+$/gu, '')
    .slice(0, maxLength)
    .replace(/-+$/u, '');
  if (words === '') return `space-${randomLabel(6)}`;
  if (words.length < minLength || reserved.has(words)) return `${words}-space`;
  return words;
}

/** The slug to try next if `slug` is taken: first numbered, then random, so that even a common title finds one. */
export function nextSlug(slug: string, attempt: number): string {
  const suffix = attempt <= 5 ? String(attempt + 1) : randomLabel(attempt <= 8 ? 4 : 8);
  return `${slug.slice(0, maxLength - suffix.length - 1).replace(/-+$/u, '')}-${suffix}`;
}
