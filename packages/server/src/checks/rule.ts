import type { Finding } from '@spaceport/contract/versions';

/** One file of the version under check. */
export interface CheckedFile {
  readonly path: string;
  readonly hash: string;
  readonly size: number;
  /** Opens the bytes as a stream; may be called more than once. */
  open(): Promise<AsyncIterable<Uint8Array>>;
}

/** Everything that a rule may look at. Rules hold no state and touch nothing else. */
export interface CheckedVersion {
  readonly files: readonly CheckedFile[];
  readonly entry: string;
  /** The origin that the version will be served at. Other sites are "off-site". */
  readonly origin: string;
  /**
   * The address of the player module for pages elsewhere. A page names it for its creator's own machine; where
   * it is published the module is there already, and the name changes nothing.
   */
  readonly moduleUrl: string;
  /** Whether its pages get the player module. */
  readonly hasModule: boolean;
  /**
   * Returns the SHA-256 hashes among these that belong to live API tokens, claim tokens or board
   * secrets of this service.
   */
  liveSecrets(hashes: readonly string[]): Promise<ReadonlySet<string>>;
  /** Aborted when the time of the check is over. */
  readonly signal: AbortSignal;
}

/**
 * A rule of the safety check. `refuse` findings make the verdict refused; `unjudged` ones make
 * it unjudged, because the rule could not decide; `warn` ones only appear in the report. The check
 * runs again if a rule throws.
 */
export interface Rule {
  /** In kebab-case; appears in the report. */
  readonly name: string;
  check(version: CheckedVersion): Promise<Finding[]>;
}
