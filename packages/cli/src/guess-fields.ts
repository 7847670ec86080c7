import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** What a folder tells of itself: the title of its page, its package.json, its name. */
export function guessFields(folder: string): { title: string; devices: string[]; description?: string } {
  const page = readText(join(folder, 'index.html'));
  const manifest = readManifest(join(folder, 'package.json'));
  const name = String(manifest.productName ?? manifest.name ?? basename(folder)).replace(/^@[^/]*\//u, '');
  const title = pageTitle(page) ?? (name.replaceAll(/[-_]+/gu, ' ').trim() || 'Untitled');
  const description = typeof manifest.description === 'string' ? manifest.description.trim() : '';
  return {
    title: [...title].slice(0, 80).join(''),
    // A page that sets its viewport was made with phones in mind.
    devices: /<meta[^>]+name=["']?viewport/iu.test(page) ? ['desktop', 'mobile'] : ['desktop'],
    ...(description !== '' && { description: [...description].slice(0, 2_000).join('') }),
  };
}

function pageTitle(html: string): string | null {
  const text = /<title[^>]*>([^<]*)<\/title>/iu.exec(html)?.[1] ?? '';
  const decoded = text
    .replaceAll(/&(amp|lt|gt|quot|#39);/gu, (_match, name: string) => entities[name] ?? '')
    .replaceAll(/\s+/gu, ' ')
    .trim();
  return decoded || null;
}
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function readManifest(path: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
