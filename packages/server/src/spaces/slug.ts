import { randomLabel } from '../platform/secrets/id.ts';

const minLength = 3;
const maxLength = 48;
// Names that read as ours, or that some resolver or browser treats specially, are no space's.
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

/** The slug to try next when `slug` is taken: numbered at first, then random, so that a common title still ends. */
export function nextSlug(slug: string, attempt: number): string {
  const suffix = attempt <= 5 ? String(attempt + 1) : randomLabel(attempt <= 8 ? 4 : 8);
  return `${slug.slice(0, maxLength - suffix.length - 1).replace(/-+$/u, '')}-${suffix}`;
}
