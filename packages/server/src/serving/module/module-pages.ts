import { buffer } from 'node:stream/consumers';
import { publishedEncoding } from '@spaceport/contract/page-text';
import { LRUCache } from 'lru-cache';
import { BlobGone, type BlobStore } from '../../platform/blobs/blob-store.ts';
import { type FileAnswer, type HeaderChoices, variantMaker, varyOf } from '../file-answer.ts';
import { withoutModules } from '../first-files.ts';
import { type MediaType, mediaTypeOf } from '../media-types.ts';
import { cacheControl, forever, type Policy } from '../policy-headers.ts';
import type { SiteFile } from '../site.ts';
import { type Asker, NoTurn, Turns } from '../turns.ts';
import { within } from '../within.ts';
import { answerOfBytes } from './answer-of-bytes.ts';
import type { ModuleText, ServedText } from './module-texts.ts';
import { grownBy, type Piece, spliced } from './open-spliced.ts';
import { lookedAtBytes, placeForScript } from './place-for-script.ts';
import { portalScripts } from './portal-scripts.ts';

/** A page that gets the module, or the module itself, its second script, or a portal's. */
export type WithModule =
  | {
      readonly is: 'page';
      readonly file: SiteFile;
      readonly always: boolean;
      readonly text: ModuleText;
      readonly policy: Policy;
    }
  /** `isNamed` is true if its address contains the hash, so that its bytes never change there. */
  | { readonly is: 'module'; readonly isNamed: boolean; readonly text: ServedText; readonly policy: Policy };
type Page = Extract<WithModule, { is: 'page' }>;

/** The result for a page without a place for the tag. */
export const noPlace = Symbol('the page stays as it is');
type Made = FileAnswer | typeof noPlace;

export interface ModulePagesOptions {
  /** The memory for results in bytes; 0 for none. */
  readonly cacheBytes: number;
  /** How long the store may take, in milliseconds. */
  readonly waitMilliseconds: number;
}

/** Pages up to this size are made whole and compressed. Larger ones are assembled as they are sent. */
const maxPageBytes = 8 * 1024 * 1024;
const entryBytes = 2_000;
/** How many are made at the same time: each holds a page in memory and a thread. */
const atOnce = 4;
const maxWaiting = 256;
const html = mediaTypeOf('index.html');
// Ours is in UTF-8, whatever the page around it is in.
const script = { ...mediaTypeOf('sdk.js'), contentType: 'text/javascript; charset=utf-8' };

/** Makes pages with the module's tag, and the module itself. Results are kept by what they were made from. */
export class ModulePages {
  readonly #store: Pick<BlobStore, 'read' | 'open'>;
  readonly #options: ModulePagesOptions;
  readonly #made: LRUCache<string, Made> | undefined;
  readonly #pending = new Map<string, Promise<Made>>();
  readonly #turns = new Turns(atOnce, maxWaiting);
  readonly #keys = new WeakMap<Page, string>();

  constructor(store: Pick<BlobStore, 'read' | 'open'>, options: ModulePagesOptions) {
    this.#store = store;
    this.#options = options;
    const { cacheBytes } = options;
    if (cacheBytes > 0) {
      this.#made = new LRUCache({
        maxSize: cacheBytes,
        sizeCalculation: (made) => Math.min(bytesOf(made) + entryBytes, cacheBytes),
      });
    }
  }

  /** The answer, if it is kept. */
  peek(wanted: WithModule): Made | undefined {
    return this.#made?.get(this.#keyOf(wanted));
  }

  /**
   * Makes the answer, once for all who wait. `by` is the client that asks.
   * @throws the store's errors
   */
  make(wanted: WithModule, by: Asker): Promise<Made> {
    const key = this.#keyOf(wanted);
    const running = this.#pending.get(key);
    if (running) return running;
    const making = this.#make(wanted, by)
      .then(({ made, isKept }) => {
        if (isKept) this.#made?.set(key, made);
        return made;
      })
      .finally(() => this.#pending.delete(key));
    this.#pending.set(key, making);
    return making;
  }

  async #make(wanted: WithModule, by: Asker): Promise<{ made: Made; isKept: boolean }> {
    if (wanted.is === 'module') return { made: await moduleAnswer(wanted), isKept: true };
    if (wanted.file.size > maxPageBytes) return { made: await this.#spliced(wanted), isKept: true };
    try {
      return { made: await this.#turns.run(by, () => this.#whole(wanted)), isKept: true };
    } catch (error) {
      // Too many at the same time: this one is sent uncompressed.
      if (error instanceof NoTurn) return { made: await this.#spliced(wanted), isKept: false };
      throw error;
    }
  }

  async #whole(page: Page): Promise<Made> {
    const { file, text, policy } = page;
    const stored = await within(this.#store.read(file.key), this.#options.waitMilliseconds);
    if (stored.length !== file.size)
      throw new BlobGone(`${file.key} has ${stored.length} bytes instead of ${file.size}`);
    const { encoding } = publishedEncoding(stored);
    const isWide = encoding.startsWith('utf-16');
    const sent = isWide ? Buffer.from(new TextDecoder(encoding).decode(stored)) : stored;
    const pieces = piecesFor(sent, true, text);
    if (pieces === null) return noPlace;
    const [media, name] = isWide ? [html, nameOf(page)] : [typeIn(encoding), nameIn(page, encoding)];
    const bytes = spliced(sent, pieces);
    return answerOfBytes(bytes, name, media, fitting(policy, sent), choicesOf(page, true));
  }

  async #spliced(page: Page): Promise<Made> {
    const { file, text, policy } = page;
    const end = Math.min(lookedAtBytes, file.size) - 1;
    const { waitMilliseconds } = this.#options;
    const opened = await within(this.#store.open(file.key, { start: 0, end }), waitMilliseconds, (late) =>
      late.destroy(),
    );
    const head = await within(buffer(opened), waitMilliseconds);
    if (head.length !== end + 1)
      throw new BlobGone(`${file.key} gave ${head.length} bytes instead of ${end + 1}`);
    const pieces = piecesFor(head, end === file.size - 1, text);
    if (pieces === null) return noPlace;
    const { encoding } = publishedEncoding(head);
    const variant = variantMaker(typeIn(encoding), fitting(policy, head), choicesOf(page, false));
    const identity = variant({
      coding: 'identity',
      key: file.key,
      size: file.size + grownBy(pieces),
      splice: pieces,
      tag: `"${nameIn(page, encoding)}"`,
    });
    return { variants: [identity], identity, hasRanges: false, isCodedByAuthor: false };
  }

  close(): void {
    this.#made?.clear();
  }

  #keyOf(wanted: WithModule): string {
    // Only pages are asked for again by the same object.
    if (wanted.is === 'module') return keyOf(wanted);
    const known = this.#keys.get(wanted);
    if (known !== undefined) return known;
    const key = keyOf(wanted);
    this.#keys.set(wanted, key);
    return key;
  }
}

/**
 * Returns the insertions for a page: the module's tag, and our addresses in place of those of portals. The
 * addresses are searched in the same bytes as the place of the tag, so that a page is the same whether it is
 * made whole or as it is sent. Returns null if there is no place for the tag.
 */
function piecesFor(bytes: Buffer, isWhole: boolean, { tag, shims }: ModuleText): Piece[] | null {
  const place = placeForScript(bytes, isWhole);
  if (place === null) return null;
  const addresses = portalScripts(bytes.subarray(0, lookedAtBytes)).flatMap(({ portal, start, end }) => {
    const ours = shims[portal];
    return ours === undefined ? [] : [{ at: start, end, bytes: Buffer.from(ours) }];
  });
  const all = [...addresses, { at: place, end: place, bytes: tag }];
  return all.sort((one, other) => one.at - other.at);
}

/** Returns the policy for a page. One with an import map has no hints of modules. */
function fitting(policy: Policy, page: Buffer): Policy {
  const { link } = policy;
  return link !== undefined && page.includes('importmap')
    ? { ...policy, link: withoutModules(link) }
    : policy;
}

function moduleAnswer({ text, isNamed, policy }: Extract<WithModule, { is: 'module' }>): Promise<FileAnswer> {
  const usual = cacheControl(policy, script);
  return answerOfBytes(text.bytes, text.hash, script, policy, {
    cacheControl: isNamed && !policy.temporary ? forever : usual,
    vary: varyOf(true, false),
    hasRanges: true,
  });
}

function choicesOf({ always, policy }: Page, hasRanges: boolean): HeaderChoices {
  return { cacheControl: cacheControl(policy, html), vary: varyOf(true, !always), hasRanges };
}

/** The name is made of both hashes: with another module, or without it, the page has other bytes. */
function nameOf({ file, text }: Page): string {
  return `${file.hash}-${text.hash}`;
}

/** Its scripts and styles that tell no encoding are read in the page's. */
function typeIn(encoding: string): MediaType {
  return encoding === 'utf-8' ? html : { ...html, contentType: `text/html; charset=${encoding}` };
}

/** In another encoding the same bytes are another page. */
function nameIn(page: Page, encoding: string): string {
  return encoding === 'utf-8' ? nameOf(page) : `${nameOf(page)}-${encoding}`;
}

function keyOf(wanted: WithModule): string {
  const { temporary, isolatedBy, link = '' } = wanted.policy;
  const policy = `${temporary ? 't' : ''}${isolatedBy ?? ''}${link}`;
  return wanted.is === 'page'
    ? `${nameOf(wanted)}/${policy}${wanted.always ? 'a' : ''}`
    : `${wanted.text.hash}/${policy}${wanted.isNamed ? 'n' : ''}`;
}

function bytesOf(made: Made): number {
  return made === noPlace ? 0 : made.variants.reduce((sum, { body }) => sum + (body?.length ?? 0), 0);
}
