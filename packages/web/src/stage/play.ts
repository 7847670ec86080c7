import { ApiError } from '@spaceport/client/api-error';
import { createCaller } from '@spaceport/client/caller';
import type { KnownPlayer, StageData } from '@spaceport/contract/first-data';
import { openPlaySession } from '@spaceport/contract/player';
import type { Player } from '@spaceport/contract/sdk-protocol';
import { forgetGuestKey, guestHeaders, guestKey } from './guest-key.ts';
import { laneOf } from './outbox.ts';

/** Limit of a call: a game waits for the answer, so a slow call is queued or fails. */
const timeoutMs = 20_000;
export const stageClient = createCaller({
  baseUrl: globalThis.location?.origin ?? 'http://localhost',
  retry: false,
  timeoutMs,
});

export interface PlayOptions {
  readonly stage: StageData;
  /** The player until the first session is open. */
  readonly known: KnownPlayer;
  readonly onPlayer: (player: Player) => void;
}

/** The player of a space, and the play session of the calls. */
export interface Play {
  player(): Player;
  /** Opens a session for a new load of the frame, which counts as a play. */
  load(): Promise<Player>;
  /** Opens a new session for the same load, after the player has changed. */
  renew(isSignedIn?: boolean): Promise<Player>;
  /** Returns the headers for calls that need no session. */
  headers(): Record<string, string>;
  /** Returns the open session, or null before the first. For a closing page, which cannot wait. */
  session(): string | null;
  /** Makes a call with the session; if the session has ended, with a new one. */
  withSession<Value>(
    work: (session: string, headers: Record<string, string>) => Promise<Value>,
  ): Promise<Value>;
  /** Returns the name of the account that plays, the same in every space; null for a guest. */
  account(): string | null;
  /** Returns the outbox lane of this player in this space. */
  lane(): string;
}

export function createPlay({ stage, known, onPlayer }: PlayOptions): Play {
  let { player, account } = known;
  let isSignedIn = !player.guest;
  let opening: Promise<string> | null = null;
  let opened: string | null = null;
  /** Number of the newest opening. */
  let openings = 0;
  let isNewLoad = false;

  const headers = () => (isSignedIn ? {} : guestHeaders());

  const askForSession = async () => {
    const { space, version } = stage;
    const isPlay = isNewLoad;
    isNewLoad = false;
    const body = { space, version, again: !isPlay };
    try {
      return await stageClient.call(openPlaySession, { body }, { headers: headers() });
    } catch (error) {
      isNewLoad ||= isPlay;
      throw error;
    }
  };

  const open = async (): Promise<string> => {
    openings += 1;
    const mine = openings;
    const answer = await askForSession().catch((error: unknown) => {
      if (mine === openings) throw error;
      return null;
    });
    // The player has changed meanwhile: a late answer is about the one before, and the newest session counts.
    if (answer === null || mine !== openings) return session();
    const hasLeft = isSignedIn && answer.player.guest;
    // Another tab may have signed in or out.
    isSignedIn = !answer.player.guest;
    // A guest keeps the same identity only with the key.
    if (hasLeft) return open();
    opened = answer.session;
    account = answer.account;
    const { id, handle, guest } = answer.player;
    const isOther = id !== player.id || handle !== player.handle || guest !== player.guest;
    player = { id, handle, guest };
    if (isOther) onPlayer(player);
    return answer.session;
  };

  const session = (): Promise<string> => {
    const mine = opening ?? open();
    opening = mine;
    mine.catch(() => {
      if (opening === mine) opening = null;
    });
    return mine;
  };

  const renew = async () => {
    opening = null;
    await session();
    return player;
  };

  const withSession: Play['withSession'] = async (work) => {
    const before = await session();
    try {
      return await work(before, headers());
    } catch (error) {
      if (!isOver(error)) throw error;
      const key = isSignedIn ? null : guestKey();
      if (key !== null && error.code === 'unauthorized') {
        // In another tab, an account has taken the guest over.
        forgetGuestKey(key);
        isSignedIn = true;
      }
      await renew();
      return work(await session(), headers());
    }
  };

  return {
    player: () => player,
    load() {
      isNewLoad = true;
      return renew();
    },
    renew(signedIn = isSignedIn) {
      isSignedIn = signedIn;
      return renew();
    },
    headers,
    session: () => opened,
    withSession,
    account: () => account,
    // After a sign-in whose session could not be opened, writes wait with those of the guest.
    lane: () => laneOf(stage.space, isSignedIn ? account : null),
  };
}

function isOver(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.code === 'session_over' || error.code === 'unauthorized');
}
