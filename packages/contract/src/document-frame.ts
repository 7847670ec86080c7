import type { NamedLink } from './named-link.ts';

/** The facts about the document that every page has. */
export interface DocumentFrame {
  /** The signed-in account; null for a visitor. */
  readonly viewer: Viewer | null;
  /** The app's origin: the setting BASE_URL. */
  readonly origin: string;
  /** Path and query of the request. */
  readonly path: string;
  /**
   * Where signing in from the header leads: back to this page, or, on a sign-in page, to that page's own
   * target.
   */
  readonly returnTo: string;
  /**
   * When the document was made, in epoch milliseconds. "3 minutes ago" is relative to this until script runs.
   */
  readonly now: number;
  /** How the operators are reached: the setting CONTACT; null if it is not set. */
  readonly contact: NamedLink | null;
  /** Whether signing up takes an invitation code: the setting SIGN_UP_CODE. */
  readonly asksForCode: boolean;
  /** Whether publishing needs an account: ANONYMOUS_PUBLISHES_PER_HOUR is 0. */
  readonly needsAccount: boolean;
}

export interface Viewer {
  /** Null until the account has chosen one. */
  readonly handle: string | null;
  readonly name: string;
  readonly operator: boolean;
}
