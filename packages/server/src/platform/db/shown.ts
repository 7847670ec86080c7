import type { AccountId, BoardId, PlayerId, SpaceId } from './ids.ts';
import type { Tx } from './tx.ts';

/**
 * What answers for everyone are made of, by name. Whoever writes it announces it in the same transaction; an answer says
 * which of it it shows, and is kept until then. What merely counts (plays) is not announced: such answers are kept for
 * seconds anyway.
 */
export type ShownTag =
  /** The row of a space, and with it every list of spaces. */
  | `space:${SpaceId}`
  /** Every list of spaces. */
  | 'spaces'
  /** What is to be won in a space: its boards and achievements as declared, and how many have entries and unlocks. */
  | `won:${SpaceId}`
  /** The entries of a board. */
  | `board:${BoardId}`
  /** What others see of an account: handle, name, whether it is banned, whether they see what it plays. */
  | `person:${AccountId}`
  /** On which boards a player is, and what they have unlocked. */
  | `played:${PlayerId | '*'}`;

/** The thing that announcements of tags are about. */
export const shownThing = 'shown';

/** Whatever was made of it is made anew once this transaction is committed, on every node. */
export function announceShown(tx: Pick<Tx, 'announce'>, tag: ShownTag): void {
  tx.announce(shownThing, tag);
}
