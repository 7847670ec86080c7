import type { Plugin } from 'vite';

/**
 * Writes every other character as an escape. V8 keeps the text of a script, a byte a character as long as all of them are
 * ASCII, and two bytes each where a single one is not: that was 5 MB, and a read of twice the length.
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

/** @throws where an escape would not mean what it stands for */
export function escaped(name: string, code: string): string {
  const raw = /\braw`[^`]*[^\0-\x7f][^`]*`/u.exec(code);
  if (raw) throw new Error(`${name}: a raw text has letters that cannot be escaped: ${raw[0].slice(0, 100)}`);
  // What is escaped by a backslash already needs another one no more.
  return code.replaceAll(/\\[\s\S]|[^\0-\x7f]/gu, (found) => {
    const character = found.length > 1 && found.startsWith('\\') ? found.slice(1) : found;
    if (/^[\0-\x7f]/u.test(character)) return found;
    // Unit by unit of UTF-16, which strings, templates and patterns take.
    return Array.from({ length: character.length }, (_, at) => `\\u${hex(character.charCodeAt(at))}`).join(
      '',
    );
  });
}

const hex = (code: number) => code.toString(16).padStart(4, '0');
