import { type Play, stageClient } from './play.ts';
import type { StageStore } from './stage-state.ts';

const everyMs = 10_000;

export interface Lobby {
  /** Whether the space wants open rooms shown. */
  show(isOn: boolean): void;
  /** Reads them now, where they are shown. */
  look(): void;
}

/** The open rooms of a space that asks for a lobby: read while the page is seen and the player is in no room. */
export function createLobby({ space, play, store }: { space: string; play: Play; store: StageStore }): Lobby {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOn = false;

  async function look(): Promise<void> {
    clearTimeout(timer);
    if (!isOn) return;
    // Who comes back to the page waits no longer than who stays.
    timer = setTimeout(look, everyMs);
    if (document.visibilityState !== 'visible' || store.get().room !== null) return;
    const options = { query: { space } };
    const answer = await stageClient.listRooms(options, { headers: play.headers() }).catch(() => null);
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
