import type { BoardsBlock } from '@spaceport/contract/listing';
import type { Platform } from '../platform/context.ts';
import type { Tx } from '../platform/db/tx.ts';
import type { SafeFetch } from '../platform/safe-fetch/safe-fetch.ts';

/** What looking at pages of others takes beside the platform. */
export interface ListingPlatform extends Platform {
  readonly safeFetch: SafeFetch;
  /**
   * Writes what a page's boards block declares: another feature's, which knows this one. Answers one sentence for the owner
   * where the block changes nothing.
   */
  readonly declareByPage: (tx: Tx, spaceId: string, block: BoardsBlock) => Promise<string | null>;
}

/** What an owner's calls take: versions are another feature's, which knows this one, and browsers the root's. */
export interface MovePlatform extends ListingPlatform {
  /** False where nobody here can take a picture. May start a browser to find out. */
  readonly canTakePictures: () => Promise<boolean>;
  /** Every version made so far can from now on only be previewed; checks that wait are stopped. */
  readonly leaveVersionsBehind: (tx: Tx, spaceId: string) => Promise<void>;
}
