/**
 * Decodes a page's bytes in the encoding that a browser would choose (HTML standard, "determining the
 * character encoding"): byte order mark, Content-Type, a declaration in the first 1,024 bytes; then UTF-8 if
 * the bytes are valid UTF-8, else windows-1252. It never fails: bytes that cannot be decoded become U+FFFD.
 */
export function pageText(body: Buffer, contentType: string): string {
  const encoding = byteOrderMark(body) ?? charsetParameter(contentType) ?? declaredEncoding(body);
  if (encoding !== null) return new TextDecoder(encoding).decode(body);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return new TextDecoder('windows-1252').decode(body);
  }
}

function byteOrderMark(body: Buffer): string | null {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return 'utf-8';
  if (body[0] === 0xfe && body[1] === 0xff) return 'utf-16be';
  if (body[0] === 0xff && body[1] === 0xfe) return 'utf-16le';
  return null;
}

function charsetParameter(contentType: string): string | null {
  return knownEncoding(/;\s*charset\s*=\s*["']?([^\s"';]+)/iu.exec(contentType)?.[1]);
}

function declaredEncoding(body: Buffer): string | null {
  const start = body.toString('latin1', 0, 1024).replaceAll(/<!--.*?(?:-->|$)/gsu, '');
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
