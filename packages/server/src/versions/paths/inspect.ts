import type { BlobStore } from '../../platform/blobs/blob-store.ts';
import { mediaTypeOf } from '../../serving/media-types.ts';
import type { Site } from '../../serving/site.ts';

/**
 * Whether a version works the same at `/~7/` as at `/`, found by looking at its pages, scripts and styles. Where that is
 * in doubt it stays at `/`: nothing is lost there but speed.
 */

/** What is looked at of one file: a longer one is taken for an engine's, which goes by relative addresses. */
const mostBytes = 32 * 1024 * 1024;
/** Longer than any match. */
const overlap = 512;
const textTypes = /^(?:text\/(?:html|css|javascript)|application\/(?:json|manifest\+json|xhtml\+xml))/u;

/** Marks for which a version stays at `/`, each with why. All are found in one step, whatever the text. */
const marks: readonly RegExp[] = [
  // Other addresses than those below the page are meant.
  /<base\s[^>]{0,200}?href\s{0,9}=\s{0,9}["']?\//iu,
  // A service worker answers for the addresses below its own, by its own rules.
  /serviceWorker\s{0,9}\??\.\s{0,9}register\s{0,9}\(\s{0,9}(?:new URL\(\s{0,9})?["'`]/u,
  /\bskipWaiting\s{0,9}\(|\bclients\s{0,9}\.\s{0,9}claim\s{0,9}\(|addEventListener\s{0,9}\(\s{0,9}["'`]fetch["'`]/u,
  // Unity names the place of what players save after the address of the page.
  /\bcreateUnityInstance\b|\bUnityLoader\b/u,
];
const setsCookie = /\.cookie\s{0,9}=(?!=)/u;
const saysPath = /\bpath\s{0,9}=/iu;
/** What stands behind an opening quote or bracket and a slash. */
const rootAbsolute = /["'`(=]\/([^/"'`()?#\s<>\\&$]{1,240})/gu;

/** What is known of a file while its text goes by. */
class Look {
  readonly #names: ReadonlySet<string>;
  #carry = '';
  #setsCookie = false;
  #saysPath = false;
  #hasMark = false;

  /** @param names the files and folders at the root of the version */
  constructor(names: ReadonlySet<string>) {
    this.#names = names;
  }

  take(text: string): void {
    const seen = this.#carry + text;
    this.#carry = seen.slice(-overlap);
    this.#setsCookie ||= setsCookie.test(seen);
    this.#saysPath ||= saysPath.test(seen);
    this.#hasMark ||= marks.some((mark) => mark.test(seen)) || this.#namesFile(seen);
  }

  #namesFile(text: string): boolean {
    for (const [, name = ''] of text.matchAll(rootAbsolute)) {
      if (this.#names.has(name) || this.#names.has(decoded(name))) return true;
    }
    return false;
  }

  /** A cookie without a path would be of one version alone. */
  fits(): boolean {
    return !this.#hasMark && (!this.#setsCookie || this.#saysPath);
  }
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** Whether a text, whole, keeps its version at `/`. */
export function textFits(text: string, names: ReadonlySet<string>): boolean {
  const look = new Look(names);
  look.take(text);
  return look.fits();
}

/** Looks at the texts of a version while somebody else reads them, so that they need not be read for this alone. */
export class PathsInspection {
  readonly #site: Pick<Site, 'spa' | 'files'>;
  readonly #names: ReadonlySet<string>;
  /** What came of each text that was read to its end. */
  readonly #fits = new Map<string, boolean>();

  constructor(site: Pick<Site, 'spa' | 'files'>) {
    this.#site = site;
    this.#names = new Set([...site.files.keys()].map((path) => path.split('/', 1)[0] ?? path));
  }

  /** The same bytes, which are looked at as they go by. */
  async *watch(path: string, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    if (!this.#isLookedAt(path)) return yield* bytes;
    const look = new Look(this.#names);
    const decoder = new TextDecoder();
    for await (const chunk of bytes) {
      look.take(decoder.decode(chunk, { stream: true }));
      yield chunk;
    }
    this.#fits.set(path, look.fits());
  }

  /**
   * Whether the version fits. What nobody has read to its end is read now.
   * @throws the store's errors, and the signal's reason
   */
  async fits(store: Pick<BlobStore, 'open'>, signal: AbortSignal): Promise<boolean> {
    if (this.#site.spa) return false;
    for (const [path, { key }] of this.#site.files) {
      if (!this.#isLookedAt(path)) continue;
      if (!this.#fits.has(path)) {
        signal.throwIfAborted();
        for await (const _ of this.watch(path, await store.open(key)));
      }
      if (this.#fits.get(path) !== true) return false;
    }
    return true;
  }

  #isLookedAt(path: string): boolean {
    const file = this.#site.files.get(path);
    const { contentType, coding } = mediaTypeOf(path);
    return (
      !this.#site.spa &&
      file !== undefined &&
      file.size <= mostBytes &&
      coding === undefined &&
      textTypes.test(contentType)
    );
  }
}
