const key = 'spaceport-claim';
const tokenPattern = /sp_claim_[\w-]+/u;

/**
 * Returns the claim token in the address's fragment, which browsers never send and no log has, or else the
 * token that this tab keeps during a sign-in. Once the tab keeps the token, it is removed from the address.
 * Returns null if there is none.
 */
export function takeToken(): string | null {
  const brought = tokenIn(location.hash);
  if (brought === null) return keptToken();
  if (keepToken(brought)) history.replaceState(null, '', location.pathname + location.search);
  return brought;
}

/** Returns the claim token in a pasted text: the token alone, or the whole link. */
export function tokenIn(text: string): string | null {
  return tokenPattern.exec(text)?.[0] ?? null;
}

/** Keeps the token in the tab. Returns false if storage is switched off. */
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
    // Storage is switched off, so the token was never kept.
  }
}

/** Returns whether this tab will still have the token after a sign-in. */
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
