/**
 * Decodes a page's bytes in the encoding that a browser would choose (HTML standard, "determining the
 * character encoding"): byte order mark, Content-Type, a declaration in the first 1,024 bytes; then UTF-8 if
 * the bytes are valid UTF-8, else windows-1252. It never fails: bytes that cannot be decoded become U+FFFD.
 */
export function pageText(body: Uint8Array, contentType: string): string {
  const encoding = byteOrderMark(body) ?? charsetParameter(contentType) ?? declaredEncoding(body);
  return new TextDecoder(encoding ?? (isUtf8(body) ? 'utf-8' : unnamed)).decode(body);
}

/** What browsers take a page for that names no encoding and is not in UTF-8. */
const unnamed = 'windows-1252';
/** Encodings that a page may name and is not served in: bytes that look like text mean something else there. */
const unserved = new Set(['iso-2022-jp', 'x-user-defined']);

/** The encoding of a page as it is published. */
export interface PageEncoding {
  readonly encoding: string;
  /** False if its bytes do not tell: its letters may come out wrong. */
  readonly isCertain: boolean;
}

/**
 * Returns the encoding of a published page: UTF-16 by its mark or its first sign, UTF-8 if its bytes are valid UTF-8,
 * whatever it says, else what it declares. The bytes may be only its beginning.
 */
export function publishedEncoding(page: Uint8Array): PageEncoding {
  const marked = byteOrderMark(page) ?? wideSign(page);
  if (marked !== null) return { encoding: marked, isCertain: true };
  if (isUtf8(page)) return { encoding: 'utf-8', isCertain: true };
  const declared = declaredEncoding(page);
  if (declared === 'utf-8' || isMostlyUtf8(page)) return { encoding: 'utf-8', isCertain: false };
  const isServed = declared !== null && !unserved.has(declared);
  return isServed ? { encoding: declared, isCertain: true } : { encoding: unnamed, isCertain: false };
}

/** Returns the text of a published page. */
export function publishedText(page: Uint8Array): string {
  return new TextDecoder(publishedEncoding(page).encoding).decode(page);
}

/** Returns whether the bytes are valid UTF-8. They may end within a letter. */
function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** Returns whether most letters beyond ASCII are UTF-8: one broken letter does not spoil the others. */
function isMostlyUtf8(bytes: Uint8Array): boolean {
  const beyond = new TextDecoder().decode(bytes).replaceAll(/[\u0000-\u007f]+/gu, '');
  return beyond.replaceAll('\ufffd', '').length > beyond.length / 2;
}

/** A page in UTF-16 without a mark begins with `<` and a zero, or the other way round. */
function wideSign([first, second]: Uint8Array): string | null {
  if (first === 0x3c && second === 0) return 'utf-16le';
  return first === 0 && second === 0x3c ? 'utf-16be' : null;
}

/** Returns the encoding that the first bytes of a text name; null if they name none. */
export function byteOrderMark(body: Uint8Array): string | null {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return 'utf-8';
  if (body[0] === 0xfe && body[1] === 0xff) return 'utf-16be';
  if (body[0] === 0xff && body[1] === 0xfe) return 'utf-16le';
  return null;
}

function charsetParameter(contentType: string): string | null {
  return knownEncoding(/;\s*charset\s*=\s*["']?([^\s"';]+)/iu.exec(contentType)?.[1]);
}

function declaredEncoding(body: Uint8Array): string | null {
  const beginning = new TextDecoder('windows-1252').decode(body.subarray(0, 1024));
  const start = beginning.replaceAll(/<!--.*?(?:-->|$)/gsu, '');
  const encoding = knownEncoding(/<meta[\s/][^>]*?charset\s*=\s*["']?\s*([^\s"'>;/]+)/iu.exec(start)?.[1]);
  // A declaration that can be read byte by byte is not in a 16-bit encoding, whatever it says.
  return encoding?.startsWith('utf-16') ? 'utf-8' : encoding;
}

function knownEncoding(label: string | undefined): string | null {
  if (label === undefined) return null;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return null;
  }
}
