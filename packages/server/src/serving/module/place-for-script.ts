/** How many bytes of the beginning are searched for the place. */
export const lookedAtBytes = 64 * 1024;

const whitespace = /[\t\n\f\r ]/u;
const tagName = /[\t\n\f\r />]/u;

/**
 * Returns the offset in an HTML document at which a script runs before all others, in its head: after the
 * start tag of the head or, in a document without one, before the first thing that makes a browser begin the
 * head. It follows the tokenizer of the HTML standard (§13.2.5) up to there. Returns null for text in UTF-16
 * or UTF-32, and if the place is not in the given bytes. `isWhole` tells whether these are all bytes.
 */
export function placeForScript(bytes: Buffer, isWhole: boolean): number | null {
  const text = bytes.toString('latin1', 0, lookedAtBytes);
  if (isWide(text)) return null;
  const isAll = isWhole && bytes.length <= lookedAtBytes;
  let at = text.startsWith('\xef\xbb\xbf') ? 3 : 0;
  while (at < text.length) {
    const start = at;
    if (whitespace.test(text.charAt(at))) {
      at++;
      continue;
    }
    if (text.charAt(at) !== '<') return start;
    const next = text.charAt(at + 1);
    if (text.startsWith('<!--', at)) at = endOfComment(text, at);
    // A malformed comment, or a doctype: it ends with the next `>`.
    else if (next === '!' || next === '?' || /^<\/[^a-z]/iu.test(text.slice(at, at + 3)))
      at = after(text, '>', at);
    else if (next === '/') {
      // The end tag of a head, a body or the whole document begins a head; other end tags are ignored here.
      if (/^<\/(?:head|body|html|br)[\t\n\f\r />]/iu.test(text.slice(at, at + 8))) return start;
      at = endOfTag(text, at);
    } else if (/[a-z]/iu.test(next)) {
      const name = nameOfTag(text, at);
      if (name !== 'html' && name !== 'head') return start;
      at = endOfTag(text, at);
      if (at >= 0 && name === 'head') return at;
    } else return start;
    // The tag or comment does not end within the given bytes.
    if (at < 0) return null;
  }
  return isAll && text.trim() !== '' ? text.length : null;
}

/** Returns whether the text is UTF-16 or UTF-32, by its byte order mark or the zeros in its first letters. */
function isWide(text: string): boolean {
  return text.startsWith('\xfe\xff') || text.startsWith('\xff\xfe') || text.slice(0, 4).includes('\0');
}

function nameOfTag(text: string, at: number): string {
  let end = at + 1;
  while (end < text.length && !tagName.test(text.charAt(end))) end++;
  return text.slice(at + 1, end).toLowerCase();
}

/** Returns the offset after the next `what`, or -1. */
function after(text: string, what: string, from: number): number {
  const found = text.indexOf(what, from);
  return found < 0 ? -1 : found + what.length;
}

/** Returns the offset after a comment's end, or -1. `<!-->` and `<!--->` are complete comments. */
function endOfComment(text: string, at: number): number {
  const short = /^<!--(?:-?>)/u.exec(text.slice(at, at + 6));
  if (short) return at + short[0].length;
  const end = /--!?>/gu;
  end.lastIndex = at + 4;
  const found = end.exec(text);
  return found ? found.index + found[0].length : -1;
}

/**
 * Returns the offset after a tag's end, or -1. A `>` in a quoted value does not end it, and a quote begins a
 * value only after `=`.
 */
function endOfTag(text: string, at: number): number {
  let index = at + 1;
  while (index < text.length && !tagName.test(text.charAt(index))) index++;
  while (index < text.length) {
    const letter = text.charAt(index);
    if (letter === '>') return index + 1;
    if (letter === '/' || whitespace.test(letter)) {
      index++;
      continue;
    }
    // The first character belongs to the name, whatever it is, even an equals sign.
    index++;
    while (index < text.length && !/[\t\n\f\r />=]/u.test(text.charAt(index))) index++;
    let value = index;
    while (whitespace.test(text.charAt(value))) value++;
    if (text.charAt(value) !== '=') continue;
    value++;
    while (whitespace.test(text.charAt(value))) value++;
    const quote = text.charAt(value);
    if (quote === '"' || quote === "'") {
      const end = text.indexOf(quote, value + 1);
      if (end < 0) return -1;
      index = end + 1;
    } else {
      index = value;
      while (index < text.length && !/[\t\n\f\r >]/u.test(text.charAt(index))) index++;
    }
  }
  return -1;
}
