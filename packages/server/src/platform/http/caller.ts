import type { AccountId, SpaceId, TokenId } from '../db/ids.ts';
/** Who makes a request, as its credential says. Features decide what each may do. */
export type Caller = CreatorCaller | ClaimCaller | SpaceCaller | GuestCaller | AnonymousCaller;

export interface CreatorCaller {
  readonly kind: 'creator';
  readonly creatorId: AccountId;
  readonly handle: string | null;
  /** False too for an operator's token that is not for operating. */
  readonly operator: boolean;
  readonly banned: boolean;
  /** The API token the request came with; null for a browser's session. */
  readonly tokenId: TokenId | null;
  /** Where that token is for one space alone. */
  readonly onlySpace: { readonly id: SpaceId; readonly slug: string } | null;
  /** A claim token sent beside the account's credential: claims the page for the account. */
  readonly claim: string | null;
}

/** A claim token of an unlisted publish. */
export interface ClaimCaller {
  readonly kind: 'claim';
  readonly claim: string;
}

/** A space's own server, by the board secret. */
export interface SpaceCaller {
  readonly kind: 'space';
  readonly spaceId: SpaceId;
  readonly slug: string;
  /** Published without an account: it has sandbox data only. */
  readonly unlisted: boolean;
  /** Of the secret it came with: for a write to see, in its own transaction, that it still is the space's. */
  readonly secretHash: string;
}

/** Who plays without an account, by a key that the page made. */
export interface GuestCaller {
  readonly kind: 'guest';
  /** SHA-256 of the key, in hex: the key itself is kept nowhere here. */
  readonly keyHash: string;
}

export interface AnonymousCaller {
  readonly kind: 'anonymous';
}
