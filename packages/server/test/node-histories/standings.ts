import type { boards } from './choices.ts';

type Board = (typeof boards)[number];

interface Posted {
  readonly player: string;
  readonly board: Board;
  readonly value: number;
}

/** The posts that were not deleted, and the banned players. Every ranking follows from these. */
export class Standings {
  #posted: Posted[] = [];
  readonly banned = new Set<string>();
  readonly #unlocked = new Set<string>();

  post(posted: Posted): void {
    this.#posted.push(posted);
  }

  unlock(player: string): void {
    this.#unlocked.add(player);
  }

  deleteOf(player: string): void {
    this.#posted = this.#posted.filter((one) => one.player !== player);
  }

  /** Number of players with the achievement, without banned ones. */
  get unlocks(): number {
    return [...this.#unlocked].filter((player) => !this.banned.has(player)).length;
  }

  /** Number of scores, without those of banned players. */
  get submissions(): number {
    return this.#posted.filter(({ player }) => !this.banned.has(player)).length;
  }

  /**
   * Returns the ranking from the top. `points` keeps the best score, `coins` the sum; of equal scores the
   * earlier is above.
   */
  ranking(board: Board): { readonly handle: string; readonly score: number }[] {
    const best = new Map<string, { score: number; at: number }>();
    for (const [at, { player, board: on, value }] of this.#posted.entries()) {
      if (on !== board || this.banned.has(player)) continue;
      const before = best.get(player);
      const score = board === 'coins' ? (before?.score ?? 0) + value : value;
      if (!before || score > before.score) best.set(player, { score, at });
    }
    return [...best]
      .sort(([, a], [, b]) => b.score - a.score || a.at - b.at)
      .map(([handle, { score }]) => ({ handle, score }));
  }
}
