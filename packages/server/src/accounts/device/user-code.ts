import { randomInt } from 'node:crypto';

/**
 * Consonants only: no accidental words, and no letters that look alike (RFC 8628 §6.1). There are 20^8 codes.
 */
const alphabet = 'BCDFGHJKLMNPQRSTVWXZ';
const length = 8;

/** Returns eight random letters, as they are stored. */
export function newUserCode(): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
}

/** `WDJB-MJHT` */
export function showUserCode(code: string): string {
  return `${code.slice(0, length / 2)}-${code.slice(length / 2)}`;
}

/**
 * Returns a typed code as it is stored, or null if it is not a code. Case, spaces and hyphens do not matter.
 */
export function readUserCode(typed: string): string | null {
  const letters = typed.toUpperCase().replaceAll(/[\s\p{Pd}]/gu, '');
  return letters.length === length && [...letters].every((letter) => alphabet.includes(letter))
    ? letters
    : null;
}
