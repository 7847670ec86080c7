/** Calls and fields of a portal's SDK that are answered alike. */
export interface Documented {
  /** Names relative to the global: `ad.requestAd`. */
  readonly names: readonly string[];
  /** The service's answer, for the table in docs/shims.md. */
  readonly answer: string;
}

interface FromDocuments {
  /** Address of the public documents. */
  readonly source: string;
  readonly documented: readonly Documented[];
}

/** The SDK of a portal, according to its public documents and types. */
export interface DocumentedSdk extends FromDocuments {
  /** The global variable that pages use. */
  readonly global: string;
}

/** The calls of a portal's server, according to its public documents. */
export interface DocumentedCalls extends FromDocuments {
  /** Address of the server. */
  readonly at: string;
}
