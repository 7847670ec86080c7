import { createHash } from 'node:crypto';
import { type ServedModule, servedName } from '@spaceport/contract/sdk-protocol';
import { LRUCache } from 'lru-cache';

/** Where the module is, on content hosts: the one that goes with the page, and the one whose interface never breaks. */
export const modulePath = '/service/sdk.js';
export const modulePaths: readonly string[] = [modulePath, '/service/sdk-1.js'];

export interface ModuleText {
  readonly bytes: Buffer;
  /** Names what is in it, in an address too. */
  readonly hash: string;
  /** What loads it, at an address that changes with it. */
  readonly tag: Buffer;
}

const hashCharacters = 12;
const keptTexts = 1_000;

/** The module with what the service knows written in, made once for each that knows the same. */
export class ModuleTexts {
  readonly #texts = new LRUCache<string, ModuleText>({ max: keptTexts });
  #source: string | null = null;
  /** Resolves when the module has been built, or could not be. */
  readonly ready: Promise<void>;

  /** `source` gives the module as it was built, null where it was not: then pages are served without. */
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
