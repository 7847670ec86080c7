import type { DeviceType } from '@spaceport/contract/spaces';

/** The texts of a folder without a service.json, from which fields are guessed. */
export interface FolderText {
  /** The text of its entry page; empty if there is none. */
  readonly page: string;
  /** The text of its package.json; empty if there is none. */
  readonly manifest: string;
  /** The folder's own name. */
  readonly name: string;
}

/** Listing fields that are guessed from the title of a folder's page, its package.json and its name. */
export interface FieldGuess {
  readonly title: string;
  readonly devices: DeviceType[];
  readonly description?: string;
}

export function guessFields({ page, manifest: text, name: folderName }: FolderText): FieldGuess {
  const manifest = parseManifest(text);
  const name = String(manifest.productName ?? manifest.name ?? folderName).replace(/^@[^/]*\//u, '');
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

function parseManifest(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
