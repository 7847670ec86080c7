import * as player from '@spaceport/contract/player';
import * as progress from '@spaceport/contract/player-progress';
import { requirePlayedBoard } from '../boards/played-scores.ts';
import { findAdoptedKeys, noteGuestOpened } from '../guests/guests.ts';
import { toTimestamp } from '../platform/clock/clock.ts';
import type { Platform } from '../platform/context.ts';
import { ServiceError } from '../platform/errors.ts';
import type { Binder } from '../platform/http/operations.ts';
import { type PlayCaller, playCallerOf } from '../players/play-caller.ts';
import type { PlayRun, PlaySession } from '../players/play-sessions.ts';
import type { Players } from '../players/players.ts';
import type { AccountPlays } from '../plays/account-plays.ts';
import type { Plays } from '../plays/plays.ts';
import { isRobot, visitorOf } from '../plays/visits.ts';
import { readIdempotencyKey } from '../server-calls/idempotency.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import { createPlayLimits } from './play-limits.ts';
import { playedSpace, requireShown } from './played-space.ts';
import { readAchievements, readScores } from './read-played.ts';
import { createStatRequests, createUnlockRequests } from './submit-progress.ts';
import { createScoreRequests } from './submit-score.ts';
import { requireKnown, writerOf } from './writers.ts';

interface PlayerRooms {
  readonly players: Players;
  readonly plays: Plays;
  readonly accountPlays: AccountPlays;
  readonly telemetry: Telemetry;
}

/** Binds the calls that the page of a space makes for its player. */
export function bindPlayerCalls(
  binder: Binder,
  platform: Platform,
  { players, plays, accountPlays, telemetry }: PlayerRooms,
): void {
  const { sessions } = players;
  const limits = createPlayLimits(platform);
  const scores = createScoreRequests(platform);
  const stats = createStatRequests(platform);
  const unlocks = createUnlockRequests(platform);

  binder.bind(player.openPlaySession, async ({ caller, body, headers, address }) => {
    const who = playCallerOf(caller);
    const played = await playedSpace(platform, body.space, who);
    await requireShown(platform, played, body.version);
    const { space, env, endsAt } = played;
    const isOwn = who.kind === 'account' && who.playerId === space.owner_id;
    const visitor = visitorOf(headers, address);
    const by = isOwn ? 'owner' : isRobot(visitor) ? 'robot' : 'player';
    const { session, sealed } = await sessions.open(
      { spaceId: space.id, env, version: body.version, by, endsAt },
      who,
    );
    // Looking at a preview, or at one's own space, is not counted as a play.
    if (!body.again && !isOwn && played.onlyVersion === null) await plays.count(space.id, visitor);
    if (!body.again) await telemetry.opened(session, visitor);
    notePlayed(who, session);
    if (who.kind === 'guest') await noteGuestOpened(platform, who.keyHash);
    return {
      body: {
        session: sealed,
        env,
        ...(await players.identify(who, session)),
        server_time: toTimestamp(session.startedAt),
      },
    };
  });

  binder.bind(player.startRun, async ({ caller, body }) => {
    const who = requireKnown(playCallerOf(caller));
    const session = await sessions.read(body.session, who);
    await requirePlayedBoard(platform.database.db, { ...session, key: body.board });
    const { sealed, seed } = await sessions.startRun(session, body.board);
    return { body: { run: sealed, seed } };
  });

  /** Records the time of a play, which goes on while something is posted. */
  const notePlayed = (who: PlayCaller, { spaceId, env }: Pick<PlaySession, 'spaceId' | 'env'>) => {
    if (who.kind === 'account' && env === 'live') accountPlays.note(who.playerId, spaceId);
  };

  const readRun = async (sealed: string, who: PlayCaller, board: string): Promise<PlayRun> => {
    const run = await sessions.readRun(sealed, who, (id) => findAdoptedKeys(platform.database.db, id));
    if (run.board === board) return run;
    const message = 'is not the board that this run was started on';
    throw new ServiceError('invalid', `The board ${message}.`, { issues: [{ path: 'board', message }] });
  };

  binder.bindAhead(player.submitScore, async ({ caller, body, headers, address }) => {
    const who = requireKnown(playCallerOf(caller));
    const { board, score, meta, replay } = body;
    const from =
      body.run === undefined
        ? await sessions.read(body.session ?? '', who)
        : await readRun(body.run, who, board);
    const key = keyOf(headers, from, player.submitScore.id, body);
    await limits.takeScore(from.player, board);
    const { spaceId, env, version, startedAt } = from;
    const origin =
      'session' in from
        ? { version, session: from.session, run: from.nonce }
        : { version, session: from.nonce, run: null };
    const answer = await scores.make({
      spaceId,
      env,
      key,
      alone: origin.run,
      writer: await writerOf(platform, who, address),
      board,
      score,
      meta,
      replay,
      origin,
      startedAt,
    });
    notePlayed(who, from);
    return answer;
  });

  binder.bindAhead(progress.submitStat, async ({ caller, body, headers, address }) => {
    const who = requireKnown(playCallerOf(caller));
    const session = await sessions.read(body.session, who);
    const key = keyOf(headers, session, progress.submitStat.id, body);
    await limits.takeProgress(session.player);
    const { spaceId, env } = session;
    const { stat, by, value } = body;
    const writer = await writerOf(platform, who, address);
    const answer = await stats.make({ spaceId, env, key, writer, stat, by, value });
    notePlayed(who, session);
    return answer;
  });

  binder.bindAhead(progress.submitAchievement, async ({ caller, body, headers, address }) => {
    const who = requireKnown(playCallerOf(caller));
    const session = await sessions.read(body.session, who);
    const key = keyOf(headers, session, progress.submitAchievement.id, body);
    await limits.takeProgress(session.player);
    const { spaceId, env } = session;
    const writer = await writerOf(platform, who, address);
    const answer = await unlocks.make({ spaceId, env, key, writer, achievement: body.key });
    notePlayed(who, session);
    return answer;
  });

  binder.bindAhead(progress.readPlayedAchievements, async ({ caller, query }) => ({
    body: { achievements: await readAchievements(platform, playCallerOf(caller), query.space) },
  }));
  binder.bindAhead(player.readPlayedScores, async ({ caller, query }) => ({
    body: await readScores(platform, playCallerOf(caller), query),
  }));
}

/**
 * Returns the idempotency key with the player's mark, because two players may choose the same key. The
 * session is not part of the hash: a request may be sent again in another session.
 */
function keyOf(
  headers: Parameters<typeof readIdempotencyKey>[0],
  { spaceId, player: mark }: Pick<PlaySession, 'spaceId' | 'player'>,
  operationId: string,
  { session: _, ...asked }: object & { session?: string | undefined },
) {
  const key = readIdempotencyKey(headers, spaceId, operationId, asked);
  return key && { ...key, key: `${mark} ${key.key}` };
}
