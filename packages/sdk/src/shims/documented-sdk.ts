/** Calls and fields of a portal's SDK that are answered alike. */
export interface Documented {
  /** By their place below the global, `ad.requestAd`. */
  readonly names: readonly string[];
  /** What the service answers, as docs/shims.md has it. */
  readonly answer: string;
}

interface FromDocuments {
  /** The public documents. */
  readonly source: string;
  readonly documented: readonly Documented[];
}

/** The SDK of a portal as its public documents and types have it. */
export interface DocumentedSdk extends FromDocuments {
  /** Where scripts of a page find it. */
  readonly global: string;
}

/** What a portal's server is asked for, as its public documents have it. */
export interface DocumentedCalls extends FromDocuments {
  /** Where it is called. */
  readonly at: string;
}
