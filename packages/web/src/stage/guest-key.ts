import { guestScheme } from '@spaceport/contract/player';

const storageKey = 'spaceport-guest';
const bytes = 32;

/** The key if the browser stores nothing; it lasts as long as the page. */
let unkept: string | null = null;

/**
 * Returns the key of this browser's guest, the same in every space; null before anybody played as a guest
 * here.
 */
export function guestKey(): string | null {
  try {
    return localStorage.getItem(storageKey) ?? unkept;
  } catch {
    return unkept;
  }
}

/**
 * Returns the key, and makes one if there is none, so that a guest has one identity from the first call on.
 */
function madeGuestKey(): string {
  const known = guestKey();
  if (known !== null) return known;
  const made = toBase64Url(crypto.getRandomValues(new Uint8Array(bytes)));
  unkept = made;
  try {
    localStorage.setItem(storageKey, made);
  } catch {
    // Storage is switched off.
  }
  return made;
}

/** Returns the request headers of a guest. */
export function guestHeaders(): Record<string, string> {
  return { authorization: `${guestScheme} ${madeGuestKey()}` };
}

/** Deletes a key whose guest an account has taken over. */
export function forgetGuestKey(key: string): void {
  if (guestKey() !== key) return;
  unkept = null;
  try {
    localStorage.removeItem(storageKey);
  } catch {
    // As above.
  }
}

/**
 * Listens for another tab that made a key, or gave it to an account (`isGone`). Returns a function that stops
 * it.
 */
export function onGuestKeyElsewhere(listener: (isGone: boolean) => void): () => void {
  const hear = ({ key, newValue }: StorageEvent) => {
    if (key === storageKey) listener(newValue === null);
  };
  addEventListener('storage', hear);
  return () => removeEventListener('storage', hear);
}

function toBase64Url(value: Uint8Array): string {
  return btoa(String.fromCharCode(...value))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/u, '');
}
