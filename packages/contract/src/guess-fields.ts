import type { DeviceType } from '@spaceport/contract/spaces';
import { withoutHiddenCharacters } from '@spaceport/contract/visible-text';

/** The texts of a folder without a service.json, from which fields are guessed. */
export interface FolderText {
  /** The text of its entry page; empty if there is none. */
  readonly page: string;
  /** The path of that page, if it is not index.html: engines name it after the game. */
  readonly entry?: string | undefined;
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

export function guessFields({ page, entry, manifest: text, name: folderName }: FolderText): FieldGuess {
  const manifest = parseManifest(text);
  const names = [manifest.productName, manifest.name, entry && pageName(entry), folderName];
  const named = names.find((name) => typeof name === 'string' && name !== '' && name !== templateName);
  const name = onOneLine(String(named ?? '').replace(/^@[^/]*\//u, '')).replaceAll(/[-_]+/gu, ' ');
  const title = pageTitle(page) || name.trim() || 'Untitled';
  const description = typeof manifest.description === 'string' ? onOneLine(manifest.description) : '';
  return {
    title: cut(title, 80),
    // A page that sets its viewport was made with phones in mind. A-Frame sets it for its pages.
    devices: setsViewport(page) || aFrameScene.test(page) ? ['desktop', 'mobile'] : ['desktop'],
    ...(description !== '' && { description: cut(description, 2_000) }),
  };
}

/** Returns the name of a page without folders and ending; '' for index.html, which every game has. */
function pageName(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.html?$/iu, '');
  return name.toLowerCase() === 'index' ? '' : name;
}

/** No tag is read beyond the next one: else each of a million open tags would be read to the end of the page. */
const metaTag = /<meta([^<>]+)/giu;

const aFrameScene = /<a-scene[\s>]/iu;

function setsViewport(html: string): boolean {
  for (const [, attributes = ''] of html.matchAll(metaTag))
    if (/name=["']?viewport/iu.test(attributes)) return true;
  return false;
}

function pageTitle(html: string): string {
  const text = /<title[^<>]*>([^<]*)<\/title>/iu.exec(html)?.[1] ?? '';
  const title = onOneLine(text.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]+));/giu, decoded));
  const own = title.replace(templatePrefix, '');
  return templateTitles.test(own) ? '' : own;
}

/** What RPG Maker MZ writes into the package.json of every game. */
const templateName = 'rmmz-game';
/** What the template of an engine or a build tool puts before the name of the game. */
const templatePrefix = /^(?:Unity Web(?:GL)? Player|Cocos Creator) \| (?=.)/u;
/**
 * Titles that come with a template and that many people leave. They name no game, and the address of a space is made
 * of its title.
 */
const templateTitles = new RegExp(
  `^(?:${[
    'document',
    'index',
    'untitled(?: document)?',
    'clickteam fusion [\\d.]+\\+? html5 runtime',
    'create next app',
    'emscripten-generated code',
    'my project',
    'new (?:unity )?project',
    'packaged project',
    'pico-8 cartridge',
    'raylib web game',
    'react app',
    'tic-80 tiny computer',
    'vite(?: app|(?: \\+ [a-z]+)+)',
    'wasm-4 cart',
  ].join('|')})$`,
  'iu',
);

/** The references that titles have most often. All others are left as they are written. */
const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  middot: '·',
  bull: '•',
  laquo: '«',
  raquo: '»',
  copy: '©',
  reg: '®',
  trade: '™',
};

function decoded(written: string, decimal?: string, hex?: string, name?: string): string {
  if (name !== undefined) return Object.hasOwn(entities, name) ? (entities[name] ?? '') : written;
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  return code <= 0x10ffff ? String.fromCodePoint(code) : written;
}

/** Returns the beginning of the text. A joiner that has lost its second part is hidden, and goes too. */
function cut(text: string, mostCharacters: number): string {
  return onOneLine([...text].slice(0, mostCharacters).join(''));
}

/** Returns the text as a listing may have it: nobody wrote it for one. */
function onOneLine(text: string): string {
  const visible = withoutHiddenCharacters(text.replaceAll(/[\s\p{Cc}]+/gu, ' '));
  return visible.toWellFormed().replaceAll(/ {2,}/gu, ' ').trim();
}

function parseManifest(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
