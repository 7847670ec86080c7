import type { LostSaveId } from '../platform/db/ids.ts';

/** The current save of a slot, as far as the rules need it. */
export interface Standing {
  readonly version: number;
  /** The digest of the content: equal for equal content. */
  readonly digest: string;
}

/**
 * A write: the version that it replaces (0 for an empty slot), and the digest of its content. A null
 * digest empties the slot.
 */
export interface Intent {
  readonly base: number;
  readonly digest: string | null;
}

/**
 * The outcome of a write. `same`: the slot has this content already, and nothing is written. `conflict`:
 * the slot has another version than the write expects, and that version stays. A write only ever replaces
 * the version that it names.
 */
export type Verdict = 'written' | 'same' | 'conflict';

export function judge(standing: Standing | undefined, { base, digest }: Intent): Verdict {
  // A write whose answer was lost is sent again, with the same base.
  if ((standing?.digest ?? null) === digest) return 'same';
  return base === (standing?.version ?? 0) ? 'written' : 'conflict';
}

/** The loser of a conflict, as far as the rules need it. */
export interface Loser {
  readonly id: LostSaveId;
  readonly slot: string;
  /** The version that it lost to; of a save that was replaced, its own. */
  readonly lostTo: number;
  readonly digest: string;
}

/**
 * Returns whether a write that replaces `standing` settles a conflict. The replaced save is then kept as a
 * loser too, because the player may have chosen wrong.
 */
export function settles(standing: Standing | undefined, slot: string, losers: readonly Loser[]): boolean {
  return (
    standing !== undefined && losers.some((loser) => loser.slot === slot && loser.lostTo === standing.version)
  );
}

/**
 * Returns the losers whose content is now the current save of their slot, so that they are no losers any
 * more.
 */
export function wonAfterAll(slot: string, digest: string, losers: readonly Loser[]): LostSaveId[] {
  return losers.filter((loser) => loser.slot === slot && loser.digest === digest).map(({ id }) => id);
}

/**
 * Returns the version of a player's next write in a space. The first one is the time in milliseconds, so that
 * no version is used twice, even if all saves were deleted.
 */
export function nextVersion(last: number | undefined, now: number): number {
  return last === undefined ? now : last + 1;
}

/** The outcome for a save that a player made as a guest, when an account adopts it. */
export type Brought = 'taken' | 'same' | 'kept';

/**
 * Decides which save stays in the slot: the newer one, or the account's if both are equally old. The
 * other is kept as a loser.
 */
export function broughtAlong(
  own: { readonly digest: string; readonly at: number } | undefined,
  brought: { readonly digest: string; readonly at: number },
): Brought {
  if (!own) return 'taken';
  if (own.digest === brought.digest) return 'same';
  return brought.at > own.at ? 'taken' : 'kept';
}
