import { listRooms } from '@spaceport/contract/rooms';
import { type Play, stageClient } from './play.ts';
import type { StageStore } from './stage-state.ts';

const everyMs = 10_000;

export interface Lobby {
  /** Sets whether the space wants open rooms to be shown. */
  show(isOn: boolean): void;
  /** Reads the rooms now, if they are shown. */
  look(): void;
}

/** Reads the open rooms of a space with a lobby, while the page is visible and the player is in no room. */
export function createLobby({ space, play, store }: { space: string; play: Play; store: StageStore }): Lobby {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOn = false;

  async function look(): Promise<void> {
    clearTimeout(timer);
    if (!isOn) return;
    // A player who comes back to the page waits no longer than one who stays.
    timer = setTimeout(look, everyMs);
    if (document.visibilityState !== 'visible' || store.get().room !== null) return;
    const options = { query: { space } };
    const answer = await stageClient.call(listRooms, options, { headers: play.headers() }).catch(() => null);
    if (isOn && answer !== null) store.set({ openRooms: answer.rooms });
  }

  return {
    show(wanted) {
      if (wanted === isOn) return;
      isOn = wanted;
      clearTimeout(timer);
      if (isOn) void look();
      else store.set({ openRooms: null });
    },
    look: () => void look(),
  };
}
