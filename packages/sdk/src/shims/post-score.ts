import type { ShimHost } from './shim-host.ts';

/**
 * Posts to the board for scores without a board's name. Returns null, without a post, if the space has no
 * such board.
 */
export async function postScore({ spaceport, served }: ShimHost, score: number): Promise<unknown> {
  return served.board === null ? null : spaceport.scores.submit(served.board, score);
}
