const storageKey = 'spaceport-told';
const mostKept = 200;

/** Whether this has not been said in this browser yet; from now on it has. Where nothing is kept: once a page. */
export function isFirstTime(what: string): boolean {
  if (toldHere.has(what)) return false;
  toldHere.add(what);
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '[]');
    const told = Array.isArray(stored) ? stored.filter((one) => typeof one === 'string') : [];
    if (told.includes(what)) return false;
    localStorage.setItem(storageKey, JSON.stringify([...told, what].slice(-mostKept)));
  } catch {
    // Storage is switched off, or somebody else wrote there.
  }
  return true;
}

const toldHere = new Set<string>();
