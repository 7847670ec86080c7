import type { Plugin } from 'vite';

/**
 * Writes all characters that are not ASCII as escapes. V8 keeps the text of a script, with one byte for each
 * character if all are ASCII, and with two bytes otherwise: that took 5 MB, and reading twice the length.
 */
export function plainText(): Plugin {
  return {
    name: 'spaceport:plain-text',
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle))
        if (chunk.type === 'chunk') chunk.code = escaped(chunk.fileName, chunk.code);
    },
  };
}

/** @throws if an escape would not mean the character */
export function escaped(name: string, code: string): string {
  const raw = /\braw`[^`]*[^\0-\x7f][^`]*`/u.exec(code);
  if (raw) throw new Error(`${name}: a raw text has letters that cannot be escaped: ${raw[0].slice(0, 100)}`);
  // A character after a backslash needs no second backslash.
  return code.replaceAll(/\\[\s\S]|[^\0-\x7f]/gu, (found) => {
    const character = found.length > 1 && found.startsWith('\\') ? found.slice(1) : found;
    if (/^[\0-\x7f]/u.test(character)) return found;
    // One escape for each UTF-16 code unit, which works in strings, templates and patterns.
    return Array.from({ length: character.length }, (_, at) => `\\u${hex(character.charCodeAt(at))}`).join(
      '',
    );
  });
}

const hex = (code: number) => code.toString(16).padStart(4, '0');
