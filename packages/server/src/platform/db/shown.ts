import type { AccountId, BoardId, PlayerId, SpaceId } from './ids.ts';
import type { Tx } from './tx.ts';

/**
 * The tags of the data that responses for everyone show. The transaction that writes such data announces its
 * tag. A response names the tags that it shows, and is kept until one of them is announced. Mere counts
 * (plays) are not announced: responses that show them are kept for seconds anyway.
 */
export type ShownTag =
  /** The row of a space. Announcing it also announces every list of spaces. */
  | `space:${SpaceId}`
  /** Every list of spaces. */
  | 'spaces'
  /**
   * What players can win in a space: its declared boards and achievements, and how many have entries and
   * unlocks.
   */
  | `won:${SpaceId}`
  /** The entries of a board. */
  | `board:${BoardId}`
  /**
   * What others see of an account: its handle and name, whether it is banned, and whether it shows what it
   * plays.
   */
  | `person:${AccountId}`
  /** The boards that a player is on, and the achievements that the player has unlocked. */
  | `played:${PlayerId | '*'}`;

/** The `thing` of the announcements of tags. */
export const shownThing = 'shown';

/** Announces a tag: once the transaction is committed, every node drops the responses that show it. */
export function announceShown(tx: Pick<Tx, 'announce'>, tag: ShownTag): void {
  tx.announce(shownThing, tag);
}
