/** A page that was published from this browser without an account. Whoever has the token has the page. */
export interface KeptClaim {
  readonly slug: string;
  readonly title: string;
  /** The name of the folder it was published from. The same folder goes to the same page when it is dropped again. */
  readonly folder: string;
  readonly pageUrl: string;
  /** ISO 8601. */
  readonly expiresAt: string;
  readonly claimToken: string;
}

const key = 'spaceport-claims';

/** Pages without an account that still run, the newest first. */
export function keptClaims(now: number = Date.now()): KeptClaim[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return Array.isArray(stored)
      ? stored.filter(isClaim).filter(({ expiresAt }) => Date.parse(expiresAt) > now)
      : [];
  } catch {
    // Storage is switched off, or somebody else wrote there.
    return [];
  }
}

/** Returns whether this browser keeps it: in a private window, or with storage switched off, it does not. */
export function keepClaim(claim: KeptClaim): boolean {
  return store([claim, ...keptClaims().filter(({ slug }) => slug !== claim.slug)]);
}

export function forgetClaim(claimToken: string): void {
  store(keptClaims().filter((claim) => claim.claimToken !== claimToken));
}

/** The token is in the fragment, which browsers send nowhere and no log holds. */
export function claimUrl(claimToken: string): string {
  return `${location.origin}/claim#${claimToken}`;
}

function store(claims: readonly KeptClaim[]): boolean {
  try {
    localStorage.setItem(key, JSON.stringify(claims));
    return true;
  } catch {
    return false;
  }
}

function isClaim(value: unknown): value is KeptClaim {
  if (typeof value !== 'object' || value === null) return false;
  const claim: Partial<Record<keyof KeptClaim, unknown>> = value;
  return [claim.slug, claim.title, claim.folder, claim.pageUrl, claim.expiresAt, claim.claimToken].every(
    (part) => typeof part === 'string',
  );
}
