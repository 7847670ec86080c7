import type { Finding } from '@spaceport/contract/versions';

/** One file of the version under check. */
export interface CheckedFile {
  readonly path: string;
  readonly hash: string;
  readonly size: number;
  /** The bytes as a stream; may be opened more than once. */
  open(): Promise<AsyncIterable<Uint8Array>>;
}

/** What a rule may look at. Rules hold no state and touch nothing else. */
export interface CheckedVersion {
  readonly files: readonly CheckedFile[];
  readonly entry: string;
  /** The origin the version will be served at: what "off-site" is measured against. */
  readonly origin: string;
  /** Which of these SHA-256 hashes are of live API tokens, claim tokens or board secrets of this service. */
  liveSecrets(hashes: readonly string[]): Promise<ReadonlySet<string>>;
  /** Aborted when the check's time is up. */
  readonly signal: AbortSignal;
}

/**
 * A rule of the safety check. `refuse` findings make the verdict refused, `unjudged` ones unjudged (the rule
 * could not decide), `warn` ones only stand in the report. Throwing counts as unjudged.
 */
export interface Rule {
  /** kebab-case, stands in the report. */
  readonly name: string;
  check(version: CheckedVersion): Promise<Finding[]>;
}
