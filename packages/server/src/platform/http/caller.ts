import type { AccountId, SpaceId, TokenId } from '../db/ids.ts';
/** The caller of a request, resolved from its credential. Features decide what each caller may do. */
export type Caller = CreatorCaller | ClaimCaller | SpaceCaller | GuestCaller | AnonymousCaller;

export interface CreatorCaller {
  readonly kind: 'creator';
  readonly creatorId: AccountId;
  readonly handle: string | null;
  /** True for an operator; false if the request came with a token that is not for operating. */
  readonly operator: boolean;
  readonly banned: boolean;
  /** The API token the request came with; null for a browser's session. */
  readonly tokenId: TokenId | null;
  /** The one space that the token is for; null if it is for all. */
  readonly onlySpace: { readonly id: SpaceId; readonly slug: string } | null;
  /** A claim token that was sent with the account's credential, to claim the page for the account. */
  readonly claim: string | null;
}

export type ClaimingCaller = CreatorCaller & { readonly claim: string };

/** Returns whether an account sends a claim token along. */
export function hasClaim(caller: Caller): caller is ClaimingCaller {
  return caller.kind === 'creator' && caller.claim !== null;
}

/** The holder of a claim token of an unlisted page. */
export interface ClaimCaller {
  readonly kind: 'claim';
  readonly claim: string;
}

/** A space's own server, which sent the board secret. */
export interface SpaceCaller {
  readonly kind: 'space';
  readonly spaceId: SpaceId;
  readonly slug: string;
  /** True for a space that was published without an account: it has sandbox data only. */
  readonly unlisted: boolean;
  /**
   * The hash of the secret that the request came with. A write checks in its transaction that it is still the
   * space's secret.
   */
  readonly secretHash: string;
}

/** A player without an account, known by a key that the page made. */
export interface GuestCaller {
  readonly kind: 'guest';
  /** SHA-256 of the key in hex. The key itself is not stored. */
  readonly keyHash: string;
}

export interface AnonymousCaller {
  readonly kind: 'anonymous';
}
