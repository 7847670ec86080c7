import { linkWith, queryOf } from '../links.ts';
import type { ShimHost } from '../shim-host.ts';

interface Settings {
  readonly disableChat: boolean;
  readonly muteAudio: boolean;
}
type Params = Readonly<Record<string, unknown>>;

/** The life of a game: what it says of itself, and what the page around it wishes. */
export function createGame({ spaceport, frame }: ShimHost) {
  const listeners = new Map<unknown, () => void>();
  const settings = (): Settings => ({ disableChat: false, muteAudio: spaceport.muted });
  const link = (params?: Params) => linkWith(frame, params);
  const query = queryOf(frame);

  return {
    id: frame.location.hostname.split('.')[0] ?? '',
    link: link(),
    isInstantMultiplayer: false,
    isInstantJoin: false,
    inviteParams: query.size === 0 ? null : Object.fromEntries(query),
    get settings() {
      return settings();
    },
    addSettingsChangeListener(listener: (changed: Settings) => void) {
      listeners.get(listener)?.();
      listeners.set(
        listener,
        spaceport.on('mute', () => listener(settings())),
      );
    },
    removeSettingsChangeListener(listener: unknown) {
      listeners.get(listener)?.();
      listeners.delete(listener);
    },
    loadingStart: () => spaceport.loading(0),
    loadingStop: () => spaceport.loading(1),
    gameplayStart: () => spaceport.playing(true),
    gameplayStop: () => spaceport.playing(false),
    happytime: () => spaceport.celebrate(),
    inviteLink: link,
    showInviteButton: link,
    getInviteParam: (name: string) => query.get(name) ?? null,
    hideInviteButton() {},
    addJoinRoomListener() {},
    removeJoinRoomListener() {},
    updateRoom() {},
    leftRoom() {},
    setGameContext() {},
    clearGameContext() {},
    reportGameCompletedPercentage() {},
  };
}
