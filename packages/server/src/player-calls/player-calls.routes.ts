import { openPlaySession } from '@spaceport/contract/player';
import { noteGuestOpened } from '../guests/guests.ts';
import { toTimestamp } from '../platform/clock/clock.ts';
import type { Platform } from '../platform/context.ts';
import type { Binder } from '../platform/http/operations.ts';
import { playCallerOf } from '../players/play-caller.ts';
import type { Players } from '../players/players.ts';
import type { AccountPlays } from '../plays/account-plays.ts';
import type { Plays } from '../plays/plays.ts';
import { playedSpace, requireShown } from './played-space.ts';

/** What the page of a space calls for whoever plays it. */
export function bindPlayerCalls(
  binder: Binder,
  platform: Platform,
  { players, plays, accountPlays }: { players: Players; plays: Plays; accountPlays: AccountPlays },
): void {
  binder.bind(openPlaySession, async ({ caller, body, headers, address }) => {
    const who = playCallerOf(caller);
    const played = await playedSpace(platform, body.space, who);
    await requireShown(platform, played, body.version);
    const { space, env, endsAt } = played;
    const { session, sealed } = await players.sessions.open(
      { spaceId: space.id, env, version: body.version, endsAt },
      who,
    );
    // A preview is looked at, not played.
    if (played.onlyVersion === null)
      await plays.count(space.id, { address, userAgent: headers['user-agent'] ?? '' });
    if (who.kind === 'account' && env === 'live') accountPlays.note(who.playerId, space.id);
    if (who.kind === 'guest') await noteGuestOpened(platform, who.keyHash);
    return {
      body: {
        session: sealed,
        env,
        player: {
          id: await players.nameFor(who, session),
          handle: who.kind === 'account' ? who.handle : null,
          guest: who.kind !== 'account',
        },
        server_time: toTimestamp(session.startedAt),
      },
    };
  });
}
