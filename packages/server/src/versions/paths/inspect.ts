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

/** @throws the store's errors, and the signal's reason */
export async function fitsVersionPaths(
  store: Pick<BlobStore, 'open'>,
  { spa, files }: Pick<Site, 'spa' | 'files'>,
  signal: AbortSignal,
): Promise<boolean> {
  if (spa) return false;
  const names = new Set([...files.keys()].map((path) => path.split('/', 1)[0] ?? path));
  for (const [path, { key, size }] of files) {
    const { contentType, coding } = mediaTypeOf(path);
    if (size > mostBytes || coding !== undefined || !textTypes.test(contentType)) continue;
    signal.throwIfAborted();
    const look = new Look(names);
    const decoder = new TextDecoder();
    for await (const chunk of (await store.open(key)) as AsyncIterable<Buffer>) {
      look.take(decoder.decode(chunk, { stream: true }));
    }
    if (!look.fits()) return false;
  }
  return true;
}
