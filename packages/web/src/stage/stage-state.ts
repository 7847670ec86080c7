import type { PlayResult } from '@spaceport/contract/player';
import type { EnteredRoom, OpenRoom } from '@spaceport/contract/rooms';
import type { Player } from '@spaceport/contract/sdk-protocol';
import { createStore, type Store } from './store.ts';

/** The state of the frame that the page shows. */
export interface StageState {
  /** Whether the module in the frame has said hello, and so receives events. */
  readonly isConnected: boolean;
  readonly isMuted: boolean;
  /** The player; null until a frame has said hello. */
  readonly player: Player | null;
  /** The id of the player's account; null for a guest. */
  readonly account: string | null;
  /** The last counted score, with its board. */
  readonly scored: Scored | null;
  /** Number of scores and unlocks; views read again when it changes. */
  readonly wins: number;
  /** Whether the space saves by our calls, and so needs no storage of its own. */
  readonly savesHere: boolean;
  /** Number of a version that went live while an older one is played. */
  readonly newerVersion: number | null;
  /**
   * The space's loading progress, from 0 to below 1; null once it is complete, or if the space does not
   * report it.
   */
  readonly loaded: number | null;
  /** Number of the space's celebrations. */
  readonly celebrations: number;
  /** The room that the player is in; others join by its link. */
  readonly room: StageRoom | null;
  /** The query for an invitation that the space wants to be offered; null if it wants none. */
  readonly invitation: string | null;
  /** Rooms that the player may join; null if the space has no lobby. */
  readonly openRooms: readonly OpenRoom[] | null;
  /** The item of another player that is being reported. */
  readonly reported: { readonly id: string; readonly title: string; readonly kind: string } | null;
  /** Number of requests to restart the space. */
  readonly reloads: number;
  /** Set while the sign-in is open. Called when it closes, with whether somebody signed in. */
  readonly signingIn: ((isSignedIn: boolean) => void) | null;
}

export interface StageRoom {
  readonly code: string;
  readonly link: string;
  /** The room's members; null until they were read. */
  readonly inside: EnteredRoom | null;
}

export interface Scored {
  readonly board: string;
  readonly score: number;
  readonly result: PlayResult;
  /** Whether it is in a ranking: those of guests, and of accounts without a handle, are not. */
  readonly isRanked: boolean;
}

export type StageStore = Store<StageState>;

export function createStageStore(): StageStore {
  return createStore<StageState>({
    isConnected: false,
    isMuted: false,
    player: null,
    account: null,
    scored: null,
    wins: 0,
    savesHere: false,
    newerVersion: null,
    loaded: null,
    celebrations: 0,
    room: null,
    invitation: null,
    openRooms: null,
    reported: null,
    reloads: 0,
    signingIn: null,
  });
}
