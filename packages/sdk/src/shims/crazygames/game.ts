import { createLinks, type Params, queryOf, textsOf } from '../links.ts';
import type { ShimHost } from '../shim-host.ts';

interface Settings {
  readonly disableChat: boolean;
  readonly muteAudio: boolean;
}
/** The game's description of its room. */
interface RoomState {
  readonly roomId?: unknown;
  readonly isJoinable?: boolean;
  readonly inviteParams?: Params;
}

/**
 * The parameter of a game that must open a room at once, as named in CrazyGames' requirements for
 * multiplayer.
 */
const instant = 'instantJoin';

/** The game module: the game's own state, and the settings of the page around it. */
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
    // On the portal, friends invite each other into a running game. Here they send a link, which loads the
    // game again.
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
