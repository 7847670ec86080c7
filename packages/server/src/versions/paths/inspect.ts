import type { BlobStore } from '../../platform/blobs/blob-store.ts';
import { mediaTypeOf } from '../../serving/media-types.ts';
import type { Site } from '../../serving/site.ts';

/**
 * Decides whether a version works the same at `/~7/` as at `/`, by looking at its pages, scripts and styles.
 * A version in doubt stays at `/`: it loses only speed there.
 */

/** Larger files are not looked at. They are taken for an engine's, which uses relative addresses. */
const mostBytes = 32 * 1024 * 1024;
/** In characters: longer than any match. */
const overlap = 512;
const textTypes =
  /^(?:text\/(?:html|css|javascript|xml)|application\/(?:json|manifest\+json|xhtml\+xml|xml)|image\/svg\+xml)/u;

/**
 * Patterns that keep a version at `/`, each with its reason. Each is bounded, so that no text makes matching
 * slow.
 */
const marks: readonly RegExp[] = [
  // The base sets addresses that are not below the page.
  /<base\s[^>]{0,200}?href\s{0,9}=\s{0,9}["']?\//iu,
  // A service worker answers requests below its own address by its own rules.
  /serviceWorker\s{0,9}\??\.\s{0,9}register\s{0,9}\(\s{0,9}(?:new URL\(\s{0,9})?["'`]/u,
  /\bskipWaiting\s{0,9}\(|\bclients\s{0,9}\.\s{0,9}claim\s{0,9}\(|addEventListener\s{0,9}\(\s{0,9}["'`]fetch["'`]/u,
  // Unity derives the location of players' saves from the address of the page.
  /\bcreateUnityInstance\b|\bUnityLoader\b/u,
  // Ruffle keeps progress under the address of the film, and PuzzleScript under that of the page.
  /\bRufflePlayer\b|\bruffle-rs\b|[[(]\s{0,9}document\.URL\b/u,
  // So do pages that keep it under the path of their address.
  /(?:\blocalStorage\s{0,9}\[|\b[gs]etItem\s{0,9}\()[^\])\n]{0,80}\blocation\s{0,9}\.\s{0,9}(?:href|pathname)\b/u,
];
const setsCookie = /\.cookie\s{0,9}=(?!=)/u;
const saysPath = /\bpath\s{0,9}=/iu;
const setsAddress = /\bpushState\b/u;
const readsPath = /\bpathname\b/u;
/** Matches an address from the root: the text after an opening quote or bracket and a slash. */
const rootAbsolute = /["'`(=]\/([^/"'`()?#\s<>\\&$]{1,240})/gu;

const brokenEscape = /%(?![0-9a-f]{2})/iu;
const otherThanAscii = /%[89a-f]/iu;

/** What is known about a file while its text is read. */
class Look {
  readonly #names: ReadonlySet<string>;
  #carry = '';
  #setsCookie = false;
  #saysPath = false;
  #setsAddress = false;
  #readsPath = false;
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
    this.#setsAddress ||= setsAddress.test(seen);
    this.#readsPath ||= readsPath.test(seen);
    this.#hasMark ||= marks.some((mark) => mark.test(seen)) || this.#namesFile(seen);
  }

  #namesFile(text: string): boolean {
    for (const [, name = ''] of text.matchAll(rootAbsolute)) {
      if (this.#names.has(name) || this.#names.has(decoded(name))) return true;
    }
    return false;
  }

  /**
   * A cookie without a path would be seen by one version only. A router that takes its page from the path of
   * the address would find no page for `/~7/`.
   */
  fits(): boolean {
    const isRouter = this.#setsAddress && this.#readsPath;
    return !this.#hasMark && !isRouter && (!this.#setsCookie || this.#saysPath);
  }
}

/**
 * Returns a name without its escapes. Those that are no text are replaced, which names no file. No error is
 * thrown for them: a file may be full of them, and each would cost a stack.
 */
function decoded(name: string): string {
  if (!name.includes('%') || brokenEscape.test(name)) return name;
  if (!otherThanAscii.test(name)) return decodeURIComponent(name);
  const octets = Buffer.from(name)
    .toString('latin1')
    .replace(/%([0-9a-f]{2})/giu, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(octets, 'latin1').toString();
}

/** Returns whether a whole text lets its version have an address of its own. */
export function textFits(text: string, names: ReadonlySet<string>): boolean {
  const look = new Look(names);
  look.take(text);
  return look.fits();
}

/** Looks at the texts of a version while other code reads them, so that they are not read just for this. */
export class PathsInspection {
  readonly #site: Pick<Site, 'spa' | 'files'>;
  readonly #names: ReadonlySet<string>;
  /** The result for each text that was read to its end. */
  readonly #fits = new Map<string, boolean>();

  constructor(site: Pick<Site, 'spa' | 'files'>) {
    this.#site = site;
    this.#names = new Set([...site.files.keys()].map((path) => path.split('/', 1)[0] ?? path));
  }

  /** Passes the same bytes on and looks at them. */
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
   * Returns whether the version fits. Texts that nobody has read to the end are read now.
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
