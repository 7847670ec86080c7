import { guestScheme } from '@spaceport/contract/player';

const storageKey = 'spaceport-guest';
const bytes = 32;

/** Where the key is while the browser keeps nothing: as long as the page. */
let unkept: string | null = null;

/** The key that a guest's scores and saves are kept under, in every space; null before anybody played as a guest here. */
export function guestKey(): string | null {
  try {
    return localStorage.getItem(storageKey) ?? unkept;
  } catch {
    return unkept;
  }
}

/** The same; made where there is none, so that a guest is the same to a space from the first time on. */
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

/** What says that a guest plays. */
export function guestHeaders(): Record<string, string> {
  return { authorization: `${guestScheme} ${madeGuestKey()}` };
}

/** An account has what was kept under it. */
export function forgetGuestKey(key: string): void {
  if (guestKey() !== key) return;
  unkept = null;
  try {
    localStorage.removeItem(storageKey);
  } catch {
    // As above.
  }
}

/** Another tab made a key, or gave its own to an account, which is told by `isGone`. Returns how to stop. */
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
