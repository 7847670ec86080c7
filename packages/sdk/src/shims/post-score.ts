import type { ShimHost } from './shim-host.ts';

/** Posts to the board that takes scores without a name. Null where the space declares none, so nothing is posted. */
export async function postScore({ spaceport, served }: ShimHost, score: number): Promise<unknown> {
  return served.board === null ? null : spaceport.scores.submit(served.board, score);
}
