import type { LostSaveId } from '../platform/db/ids.ts';

/** What stands in a slot, as far as the rules look at it. */
export interface Standing {
  readonly version: number;
  /** Of what it holds: the same for the same. */
  readonly digest: string;
}

/** A write: the version that it replaces, 0 for an empty slot, and the digest of its content; null empties the slot. */
export interface Intent {
  readonly base: number;
  readonly digest: string | null;
}

/**
 * What becomes of a write. `same`: what it says is so already, and nothing is written. `conflict`: something else stands
 * there than it knew of, which stays. Nothing is ever replaced but by a write that names it.
 */
export type Verdict = 'written' | 'same' | 'conflict';

export function judge(standing: Standing | undefined, { base, digest }: Intent): Verdict {
  // A write whose answer was lost is sent again, with the base it had.
  if ((standing?.digest ?? null) === digest) return 'same';
  return base === (standing?.version ?? 0) ? 'written' : 'conflict';
}

/** What lost a conflict, as far as the rules look at it. */
export interface Loser {
  readonly id: LostSaveId;
  readonly slot: string;
  /** The version that stood against it. */
  readonly lostTo: number;
  readonly digest: string;
}

/**
 * Does a write that replaces `standing` settle a conflict? Then what it replaces has lost in its turn, and is kept too:
 * who
 * settles it has chosen, and may have chosen wrong.
 */
export function settles(standing: Standing | undefined, slot: string, losers: readonly Loser[]): boolean {
  return (
    standing !== undefined && losers.some((loser) => loser.slot === slot && loser.lostTo === standing.version)
  );
}

/** The losers whose content now stands in their slot: they are lost no more. */
export function wonAfterAll(slot: string, digest: string, losers: readonly Loser[]): LostSaveId[] {
  return losers.filter((loser) => loser.slot === slot && loser.digest === digest).map(({ id }) => id);
}

/**
 * The version of a player's next write in a space. It begins with the time, so that none comes again after all was
 * deleted.
 */
export function nextVersion(last: number | undefined, now: number): number {
  return last === undefined ? now : last + 1;
}

/** What becomes of a save that an account's player brings along from before they had the account. */
export type Brought = 'taken' | 'same' | 'kept';

/** The newer of the two stays in the slot; of equally old ones that of the account. The other is kept as a loser. */
export function broughtAlong(
  own: { readonly digest: string; readonly at: number } | undefined,
  brought: { readonly digest: string; readonly at: number },
): Brought {
  if (!own) return 'taken';
  if (own.digest === brought.digest) return 'same';
  return brought.at > own.at ? 'taken' : 'kept';
}
