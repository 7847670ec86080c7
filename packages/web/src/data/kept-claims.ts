/**
 * A page that was published from this browser without an account. The token is the only proof of owning it.
 */
export interface KeptClaim {
  readonly slug: string;
  readonly title: string;
  /** The name of the published folder. Dropping the same folder again publishes to the same page. */
  readonly folder: string;
  readonly pageUrl: string;
  /** ISO 8601. */
  readonly expiresAt: string;
  readonly claimToken: string;
}

const key = 'spaceport-claims';

/** Returns pages without an account that have not expired, the newest first. */
export function keptClaims(now: number = Date.now()): KeptClaim[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return Array.isArray(stored)
      ? stored.filter(isClaim).filter(({ expiresAt }) => Date.parse(expiresAt) > now)
      : [];
  } catch {
    // Storage is switched off, or has other content.
    return [];
  }
}

/**
 * Stores a claim. Returns false if the browser does not keep it: in a private window, or with storage
 * switched off.
 */
export function keepClaim(claim: KeptClaim): boolean {
  return store([claim, ...keptClaims().filter(({ slug }) => slug !== claim.slug)]);
}

export function forgetClaim(claimToken: string): void {
  store(keptClaims().filter((claim) => claim.claimToken !== claimToken));
}

/**
 * Returns the address for claiming a page. The token is in the fragment, which browsers never send and no log
 * has.
 */
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
