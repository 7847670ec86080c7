const key = 'spaceport-claim';
const tokenPattern = /sp_claim_[\w-]+/u;

/**
 * The claim token that the address brings in its fragment, which no browser sends and no log holds; else the one that
 * this tab keeps, over a sign-in. It leaves the address once the tab keeps it. Null if there is none.
 */
export function takeToken(): string | null {
  const brought = tokenIn(location.hash);
  if (brought === null) return keptToken();
  if (keepToken(brought)) history.replaceState(null, '', location.pathname + location.search);
  return brought;
}

/** The claim token in what was pasted: it alone, or the whole link. */
export function tokenIn(text: string): string | null {
  return tokenPattern.exec(text)?.[0] ?? null;
}

/** Returns whether the tab keeps it: with storage switched off it does not. */
export function keepToken(token: string): boolean {
  try {
    sessionStorage.setItem(key, token);
    return true;
  } catch {
    return false;
  }
}

export function dropToken(): void {
  try {
    sessionStorage.removeItem(key);
  } catch {
    // Then it was never kept.
  }
}

/** Whether this tab still has it after a sign-in. */
export function isKept(token: string): boolean {
  return keptToken() === token;
}

function keptToken(): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}
