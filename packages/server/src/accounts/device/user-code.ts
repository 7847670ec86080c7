import { randomInt } from 'node:crypto';

/** Consonants only: no words by accident, nothing that looks like another (RFC 8628 §6.1). 20^8 codes. */
const alphabet = 'BCDFGHJKLMNPQRSTVWXZ';
const length = 8;

/** Eight random letters, as they are stored. */
export function newUserCode(): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
}

/** `WDJB-MJHT` */
export function showUserCode(code: string): string {
  return `${code.slice(0, length / 2)}-${code.slice(length / 2)}`;
}

/** What somebody typed, as it would be stored: case, spaces and hyphens do not matter. Null for what is no code. */
export function readUserCode(typed: string): string | null {
  const letters = typed.toUpperCase().replaceAll(/[\s\p{Pd}]/gu, '');
  return letters.length === length && [...letters].every((letter) => alphabet.includes(letter))
    ? letters
    : null;
}
