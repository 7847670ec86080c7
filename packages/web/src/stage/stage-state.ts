import type { PlayResult } from '@spaceport/contract/player';
import type { EnteredRoom, OpenRoom } from '@spaceport/contract/rooms';
import type { Player } from '@spaceport/contract/sdk-protocol';
import { createStore, type Store } from './store.ts';

/** What the page draws of what goes on in the frame. */
export interface StageState {
  /** The module in the frame has said hello: it hears what it is told. */
  readonly isConnected: boolean;
  readonly isMuted: boolean;
  /** Who plays; null until a frame has asked. */
  readonly player: Player | null;
  /** The score that was counted last, and on which board. */
  readonly scored: Scored | null;
  /** Counts what was won: what shows it asks again. */
  readonly wins: number;
  /** The space keeps with us what its players save: it needs no storage of its own for that. */
  readonly savesHere: boolean;
  /** A version that went live while another is played. */
  readonly newerVersion: number | null;
  /** How much of it the space says it has loaded, from 0 to below 1; null once it is all there, or where it says nothing. */
  readonly loaded: number | null;
  /** Counts what the space has celebrated. */
  readonly celebrations: number;
  /** The room that the player is in: others come in by its link. */
  readonly room: StageRoom | null;
  /** What an invitation hands to the space, which asks for one to be offered; null where it does not. */
  readonly invitation: string | null;
  /** Rooms that the player may join; null where the space asks for no lobby. */
  readonly openRooms: readonly OpenRoom[] | null;
  /** What another player made, which is being reported. */
  readonly reported: { readonly id: string; readonly title: string; readonly kind: string } | null;
  /** Counts what asks the space to begin again. */
  readonly reloads: number;
  /** The sign-in is open; called once it is closed, with whether somebody signed in. */
  readonly signingIn: ((isSignedIn: boolean) => void) | null;
}

export interface StageRoom {
  readonly code: string;
  readonly link: string;
  /** Who is in it; null until that was read. */
  readonly inside: EnteredRoom | null;
}

export interface Scored {
  readonly board: string;
  readonly score: number;
  readonly result: PlayResult;
  readonly isGuest: boolean;
}

export type StageStore = Store<StageState>;

export function createStageStore(): StageStore {
  return createStore<StageState>({
    isConnected: false,
    isMuted: false,
    player: null,
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
