import { ApiError } from '@spaceport/client/api-error';
import { createCaller } from '@spaceport/client/caller';
import { adoptGuest } from '@spaceport/contract/adopting';
import type { KnownPlayer, StageData } from '@spaceport/contract/first-data';
import { accountHeader, openPlaySession } from '@spaceport/contract/player';
import type { Player } from '@spaceport/contract/sdk-protocol';
import { forgetGuestKey, guestHeaders, guestKey } from './guest-key.ts';
import { laneOf } from './outbox.ts';
import { readsServiceClock } from './service-clock.ts';
import { OtherPlayer } from './stage-error.ts';

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
  /** Opens a new session for the same load. */
  renew(): Promise<Player>;
  /**
   * Opens a new session for the same load, as the account that has signed in. If it has taken the guest of this
   * page over (`ownsTheGuest`), the guest's calls go on as the account.
   */
  signIn(ownsTheGuest: boolean): Promise<Player>;
  /** Returns the headers that name the player. */
  headers(): Record<string, string>;
  /** Returns the open session, or null before the first. For a closing page, which cannot wait. */
  session(): string | null;
  /**
   * Makes a call of the lane's player, by default of the player. If somebody else plays by now, or the service
   * finds somebody else signed in, the call is not made for them.
   * @throws `OtherPlayer`
   */
  asPlayer<Value>(work: (headers: Record<string, string>) => Promise<Value>, lane?: string): Promise<Value>;
  /** As `asPlayer`, with the session; if the session has ended, with a new one. */
  withSession<Value>(
    work: (session: string, headers: Record<string, string>) => Promise<Value>,
    lane?: string,
  ): Promise<Value>;
  /**
   * Checks that the player may act for the lane's: is the same, or an account that has taken this guest over.
   * @throws `OtherPlayer`
   */
  requirePlayerOf(lane: string): void;
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
  /** Whether the account has taken the guest of this page over. */
  let ownsGuest = false;
  const laneOfGuest = laneOf(stage.space, null);

  const headers = (): Record<string, string> => {
    if (!isSignedIn) return guestHeaders();
    return account === null ? {} : { [accountHeader]: account };
  };
  // After a sign-in whose session could not be opened, writes wait with those of the guest.
  const lane = () => laneOf(stage.space, isSignedIn ? account : null);

  const askForSession = async () => {
    const { space, version } = stage;
    const isPlay = isNewLoad;
    isNewLoad = false;
    const body = { space, version, again: !isPlay };
    try {
      // No account is named: the answer says which one is signed in.
      const asked = isSignedIn ? {} : guestHeaders();
      const onHeaders = readsServiceClock();
      return await stageClient.call(openPlaySession, { body }, { headers: asked, onHeaders });
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
    if (answer === null || mine !== openings) return newestSession();
    const hasLeft = isSignedIn && answer.player.guest;
    // Another tab may have signed in or out.
    isSignedIn = !answer.player.guest;
    // A guest keeps the same identity only with the key.
    if (hasLeft) return open();
    opened = answer.session;
    if (account !== null && account !== answer.account) ownsGuest = false;
    account = answer.account;
    const { id, handle, guest } = answer.player;
    const isOther = id !== player.id || handle !== player.handle || guest !== player.guest;
    player = { id, handle, guest };
    if (isOther) onPlayer(player);
    return answer.session;
  };

  const newestSession = (): Promise<string> => {
    const mine = opening ?? open();
    opening = mine;
    mine.catch(() => {
      if (opening === mine) opening = null;
    });
    return mine;
  };

  const renew = async () => {
    opening = null;
    await newestSession();
    return player;
  };

  const requirePlayerOf = (of: string) => {
    if (of !== lane() && !(of === laneOfGuest && ownsGuest)) throw new OtherPlayer();
  };

  /** Finds out who plays, after the service has refused the player. */
  const askWhoPlays = async (code: string): Promise<void> => {
    const key = isSignedIn ? null : guestKey();
    if (key === null || code !== 'unauthorized') return void (await renew());
    // In another tab, an account has taken the guest over. It may not be the one that is signed in now.
    ownsGuest = await hasTakenOver(key);
    forgetGuestKey(key);
    isSignedIn = true;
    await renew();
    if (!ownsGuest) throw new OtherPlayer();
  };

  /** Makes a call; once more if the service has refused the player or the session. */
  const twice = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    try {
      return await work();
    } catch (error) {
      if (!isOver(error)) throw error;
      await askWhoPlays(error.code);
      return work();
    }
  };

  return {
    player: () => player,
    load() {
      isNewLoad = true;
      return renew();
    },
    renew,
    signIn(ownsTheGuest) {
      isSignedIn = true;
      ownsGuest = ownsTheGuest;
      return renew();
    },
    headers,
    session: () => opened,
    asPlayer: (work, of = lane()) =>
      twice(async () => {
        requirePlayerOf(of);
        return work(headers());
      }),
    withSession: (work, of = lane()) =>
      twice(async () => {
        const session = await newestSession();
        requirePlayerOf(of);
        return work(session, headers());
      }),
    requirePlayerOf,
    account: () => account,
    lane,
  };
}

/** Returns whether the account that is signed in has taken this guest over. */
function hasTakenOver(key: string): Promise<boolean> {
  return stageClient.call(adoptGuest, { body: { guest_key: key } }).then(
    () => true,
    () => false,
  );
}

function isOver(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.code === 'session_over' || error.code === 'unauthorized');
}
