/** Calls and fields of a portal's SDK that are answered alike. */
export interface Documented {
  /** By their place below the global, `ad.requestAd`. */
  readonly names: readonly string[];
  /** What the service answers, as docs/shims.md has it. */
  readonly answer: string;
}

/** The SDK of a portal as its public documents and types have it. */
export interface DocumentedSdk {
  /** Where scripts of a page find it. */
  readonly global: string;
  /** The public documents. */
  readonly source: string;
  readonly documented: readonly Documented[];
}
