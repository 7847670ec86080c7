import { createLinks, type Params, queryOf, textsOf } from '../links.ts';
import type { ShimHost } from '../shim-host.ts';

interface Settings {
  readonly disableChat: boolean;
  readonly muteAudio: boolean;
}
/** What a game says of the room that it is in. */
interface RoomState {
  readonly roomId?: unknown;
  readonly isJoinable?: boolean;
  readonly inviteParams?: Params;
}

/** In the address of a game that is to open a room at once, by the name that CrazyGames' requirements for multiplayer give it. */
const instant = 'instantJoin';

/** The life of a game: what it says of itself, and what the page around it wishes. */
export function createGame(host: ShimHost) {
  const { spaceport, frame } = host;
  const listeners = new Map<unknown, () => void>();
  const settings = (): Settings => ({ disableChat: false, muteAudio: spaceport.muted });
  const links = createLinks(host);
  const query = queryOf(frame);
  const isInstant = query.get(instant) === 'true';
  query.delete(instant);
  const offer = (params: Params | null | undefined) => spaceport.rooms.invite(textsOf(params));
  const takeBack = () => spaceport.rooms.invite(null);

  return {
    id: frame.location.hostname.split('.')[0] ?? '',
    link: links.page,
    isInstantMultiplayer: isInstant,
    isInstantJoin: isInstant,
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
    inviteLink: links.to,
    showInviteButton(params?: Params) {
      offer(params);
      return links.to(params);
    },
    getInviteParam: (name: string) => query.get(name) ?? null,
    hideInviteButton: takeBack,
    // There, friends call each other into a game that runs; here they send a link, which opens it anew.
    addJoinRoomListener() {},
    removeJoinRoomListener() {},
    updateRoom({ roomId, isJoinable = true, inviteParams }: RoomState = {}) {
      if (isJoinable) offer(inviteParams ?? (roomId === undefined ? {} : { roomId }));
      else takeBack();
    },
    leftRoom: takeBack,
    setGameContext() {},
    clearGameContext() {},
    reportGameCompletedPercentage() {},
  };
}
