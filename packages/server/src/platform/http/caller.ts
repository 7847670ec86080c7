/** Who makes a request, as its credential says. Features decide what each may do. */
export type Caller = CreatorCaller | ClaimCaller | AnonymousCaller;

export interface CreatorCaller {
  readonly kind: 'creator';
  readonly creatorId: string;
  readonly handle: string | null;
  readonly operator: boolean;
  readonly banned: boolean;
  /** The API token the request came with; null for a browser's session. */
  readonly tokenId: string | null;
  /** A claim token sent beside the account's credential: claims the page for the account. */
  readonly claim: string | null;
}

/** A claim token of an unlisted publish. */
export interface ClaimCaller {
  readonly kind: 'claim';
  readonly claim: string;
}

export interface AnonymousCaller {
  readonly kind: 'anonymous';
}
