import { createHash } from 'node:crypto';
import {
  portalNames,
  type ServedShim,
  type ShimName,
  servedShimName,
  shimNames,
} from '@spaceport/contract/portals';
import { type ServedModule, servedName } from '@spaceport/contract/sdk-protocol';
import { LRUCache } from 'lru-cache';

/**
 * The module's paths on content hosts. `sdk.js` changes with the page; `sdk-1.js` keeps its interface for
 * good.
 */
const modulePath = '/service/sdk.js';
/** The second script, which the module loads. It keeps its interface too. */
export const togetherPath = '/service/sdk-together-1.js';
export const modulePaths: readonly string[] = [modulePath, '/service/sdk-1.js', togetherPath];
const shimsFolder = '/service/shims/';

/** Returns the path of the script that replaces a portal's SDK, or the servers of portals. */
export function shimPath(name: ShimName): string {
  return `${shimsFolder}${name}.js`;
}

/** Returns the name of the script at a path, or null. */
export function shimAt(path: string): ShimName | null {
  if (!path.startsWith(shimsFolder)) return null;
  return shimNames.find((name) => shimPath(name) === path) ?? null;
}

/** The scripts as they were built. */
export interface ModuleSources {
  readonly module: string;
  readonly together: string;
  readonly shims: Readonly<Partial<Record<ShimName, string>>>;
}

/** A script with the values that it needs written into it. */
export interface ServedText {
  readonly bytes: Buffer;
  /** The first characters of the SHA-256 of the bytes, which are part of the address. */
  readonly hash: string;
}

export interface ModuleText extends ServedText {
  /**
   * The script tags that load it and the replacement for portals' servers, at addresses that change with the
   * bytes.
   */
  readonly tag: Buffer;
  /**
   * For each portal, the address that pages get in place of its SDK's. Its bytes and the module's change
   * together.
   */
  readonly shims: NonNullable<ServedModule['shims']>;
}

const hashCharacters = 12;
const keptTexts = 1_000;

/**
 * The texts of the module and the shims with the values that they need written into them, and the text of the
 * second script, which needs none. Equal values share one text.
 */
export class ModuleTexts {
  readonly #texts = new LRUCache<string, ModuleText>({ max: keptTexts });
  readonly #shims = new LRUCache<string, ServedText>({ max: keptTexts });
  #sources: ModuleSources | null = null;
  #together: ServedText | null = null;
  /** Resolves when the module has been built, or could not be. */
  readonly ready: Promise<void>;

  /** `sources` resolves with the built scripts, or with null: then pages are served without them. */
  constructor(sources: Promise<ModuleSources | null>) {
    this.ready = sources.then((found) => {
      this.#sources = found;
      this.#together = found && textOf(found.together);
    });
  }

  /** The second script, which is the same for all; null if there is none, or not yet. */
  get together(): ServedText | null {
    return this.#together;
  }

  /**
   * Returns the module's text; null if there is none, or not yet.
   * @param shim the values for shims; null for pages without them
   */
  of(served: Omit<ServedModule, 'together' | 'shims'>, shim: ServedShim | null): ModuleText | null {
    if (this.#sources === null || this.#together === null) return null;
    const asked = JSON.stringify([served, shim]);
    const known = this.#texts.get(asked);
    if (known) return known;
    // A page outside of content hosts loads it from the app's origin, like the module.
    const together = `${served.hosted ? '' : served.app}${togetherPath}?${this.#together.hash}`;
    const shims = shim === null ? {} : this.#addresses(shim);
    const told: ServedModule = { ...served, together, ...(shim !== null && { shims }) };
    const made = written(this.#sources.module, servedName, told);
    const scripts = [`${modulePath}?${made.hash}`];
    // The game may call servers before any script of its own is recognised, so their replacement is loaded
    // from the start.
    if (shim?.keys && shims.gateways !== undefined) scripts.push(shims.gateways);
    const tag = scripts.map((address) => `<script src="${address}"></script>`).join('');
    const text = { ...made, tag: Buffer.from(tag), shims };
    this.#texts.set(asked, text);
    return text;
  }

  /** Returns the text of a shim; null if there is none, or not yet. */
  shim(name: ShimName, { app, board, keys }: ServedShim): ServedText | null {
    const source = this.#sources?.shims[name];
    if (source === undefined) return null;
    const told: ServedShim = name === 'gateways' && keys ? { app, board, keys } : { app, board };
    const asked = JSON.stringify([name, told]);
    const text = this.#shims.get(asked) ?? written(source, servedShimName, told);
    this.#shims.set(asked, text);
    return text;
  }

  #addresses(shim: ServedShim): Readonly<Record<string, string>> {
    const names = shim.keys ? shimNames : portalNames;
    const addresses = names.flatMap((name) => {
      const text = this.shim(name, shim);
      return text ? [[name, `${shimPath(name)}?${text.hash}`] as const] : [];
    });
    return Object.fromEntries(addresses);
  }
}

function written(source: string, name: string, value: unknown): ServedText {
  return textOf(source.replace(name, () => JSON.stringify(value)));
}

function textOf(text: string): ServedText {
  const bytes = Buffer.from(text);
  return { bytes, hash: createHash('sha256').update(bytes).digest('base64url').slice(0, hashCharacters) };
}
