import type { ShimHost } from '../shim-host.ts';
import { answerCalls } from './answer-calls.ts';
import { createGameJolt } from './gamejolt/gamejolt.ts';
import { createNewgrounds } from './newgrounds/newgrounds.ts';
import { signedInQuery } from './signed-in-query.ts';

/** Answers the page's calls to the servers of those portals for which the creator has set keys. */
export function answerGateways(host: ShimHost): void {
  const { newgrounds, gamejolt } = host.served.keys ?? {};
  const ofNewgrounds = newgrounds && createNewgrounds(host, newgrounds);
  const ofGameJolt = gamejolt && createGameJolt(host, gamejolt);
  const all = [ofNewgrounds, ofGameJolt].flatMap((made) => (made ? [made.answering] : []));
  answerCalls(host.frame, all);
  // On its portal, a game finds the signed-in user in its address.
  if (host.spaceport.player.get().guest) return;
  signedInQuery(host.frame, {
    ...(ofNewgrounds && { ngio_session_id: ofNewgrounds.session.id }),
    ...(ofGameJolt && { gjapi_username: ofGameJolt.user()?.name ?? '', gjapi_token: 'spaceport' }),
  });
}
