import { createHash } from 'node:crypto';
import { type ServedModule, servedName } from '@spaceport/contract/sdk-protocol';
import { LRUCache } from 'lru-cache';

/** The module's paths on content hosts: `sdk.js` goes with the page, `sdk-1.js` keeps its interface for good. */
export const modulePath = '/service/sdk.js';
export const modulePaths: readonly string[] = [modulePath, '/service/sdk-1.js'];

export interface ModuleText {
  readonly bytes: Buffer;
  /** SHA-256 of the bytes; part of the address. */
  readonly hash: string;
  /** The script tag that loads it, at an address that changes with the bytes. */
  readonly tag: Buffer;
}

const hashCharacters = 12;
const keptTexts = 1_000;

/** The module's text with `ServedModule` written into it. Equal values share one text. */
export class ModuleTexts {
  readonly #texts = new LRUCache<string, ModuleText>({ max: keptTexts });
  #source: string | null = null;
  /** Resolves when the module has been built, or could not be. */
  readonly ready: Promise<void>;

  /** `source` resolves to the built module, or to null: then pages are served without it. */
  constructor(source: Promise<string | null>) {
    this.ready = source.then((text) => {
      this.#source = text;
    });
  }

  /** Null where there is none, or not yet. */
  of(served: ServedModule): ModuleText | null {
    if (this.#source === null) return null;
    const json = JSON.stringify(served);
    const known = this.#texts.get(json);
    if (known) return known;
    const bytes = Buffer.from(this.#source.replace(servedName, () => json));
    const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, hashCharacters);
    const text = { bytes, hash, tag: Buffer.from(`<script src="${modulePath}?${hash}"></script>`) };
    this.#texts.set(json, text);
    return text;
  }
}
