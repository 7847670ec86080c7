const storageKey = 'spaceport-told';
const mostKept = 200;

/**
 * Returns true at the first call with `what` in this browser, or, if the browser stores nothing, on this
 * page.
 */
export function isFirstTime(what: string): boolean {
  if (toldHere.has(what)) return false;
  toldHere.add(what);
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '[]');
    const told = Array.isArray(stored) ? stored.filter((one) => typeof one === 'string') : [];
    if (told.includes(what)) return false;
    localStorage.setItem(storageKey, JSON.stringify([...told, what].slice(-mostKept)));
  } catch {
    // Storage is switched off, or has other content.
  }
  return true;
}

const toldHere = new Set<string>();
