import { ApiError } from '@spaceport/client/api-error';
import { createClient } from '@spaceport/client/client';
import type { StageData } from '@spaceport/contract/first-data';
import type { Player } from '@spaceport/contract/sdk-protocol';
import { forgetGuestKey, guestHeaders, guestKey } from './guest-key.ts';
import { laneOf } from './outbox.ts';

/** A game waits for its answer: what the service does not take now is queued or told. */
const timeoutMs = 20_000;
export const stageClient = createClient({
  baseUrl: globalThis.location?.origin ?? 'http://localhost',
  retry: false,
  timeoutMs,
});

export interface PlayOptions {
  readonly stage: StageData;
  /** Somebody is signed in here, as the document says. */
  readonly isSignedIn: boolean;
  readonly onPlayer: (player: Player) => void;
}

/** Who plays a space, and the session that their calls are made in. */
export interface Play {
  player(): Player;
  /** Opens a session for another load of the frame: a play. */
  load(): Promise<Player>;
  /** Opens a session anew, where somebody else plays now. */
  renew(isSignedIn?: boolean): Promise<Player>;
  /** For calls that need no session. */
  headers(): Record<string, string>;
  /** The session that is open; null before the first. For what cannot wait: a page that goes away. */
  session(): string | null;
  /** Calls with a session; with a new one where that is over. */
  withSession<Value>(
    work: (session: string, headers: Record<string, string>) => Promise<Value>,
  ): Promise<Value>;
  /** The account that plays, by a name that is the same in every space; null for a guest. */
  account(): string | null;
  /** Where what could not be sent waits: that of nobody else, and of no other space. */
  lane(): string;
}

const nobody: Player = { id: '', handle: null, guest: true };

export function createPlay({ stage, isSignedIn: signedInFirst, onPlayer }: PlayOptions): Play {
  let isSignedIn = signedInFirst;
  let player = nobody;
  let account: string | null = null;
  let opening: Promise<string> | null = null;
  let opened: string | null = null;
  let isNewLoad = false;

  const headers = () => (isSignedIn ? {} : guestHeaders());

  const open = async (): Promise<string> => {
    const { space, version } = stage;
    const body = { space, version, again: !isNewLoad };
    const answer = await stageClient.openPlaySession({ body }, { headers: headers() });
    isNewLoad = false;
    const hasLeft = isSignedIn && answer.player.guest;
    // Another tab may have signed in or out.
    isSignedIn = !answer.player.guest;
    // Only with their key are guests the same as before.
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
        // An account has taken the guest over, in another tab.
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
    lane: () => laneOf(stage.space, isSignedIn ? (account ?? '') : null),
  };
}

function isOver(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.code === 'session_over' || error.code === 'unauthorized');
}
