import { createLinks, type Params, queryOf } from '../links.ts';
import { neutralPicture } from '../picture.ts';
import type { ShimHost } from '../shim-host.ts';

/** Prefix of parameter names in shared links. */
const shared = 'gd';

/**
 * `PokiSDK` as its documents describe it, built on `Spaceport`. `documented.ts` has the answer of each call.
 */
export function createPoki(host: ShimHost) {
  const { spaceport, frame } = host;
  const links = createLinks(host);
  const query = queryOf(frame);
  return {
    init: () => spaceport.ready(),
    gameLoadingFinished: () => spaceport.loading(1),
    gameplayStart: () => spaceport.playing(true),
    gameplayStop: () => spaceport.playing(false),
    happyTime: () => spaceport.celebrate(),
    commercialBreak: async () => {},
    rewardedBreak: async () => false,
    displayAd() {},
    destroyAd() {},
    isAdBlocked: () => false,
    shareableURL: async (given?: Params) =>
      links.to(
        Object.fromEntries(Object.entries(given ?? {}).map(([name, value]) => [shared + name, value])),
      ),
    getURLParam: (name: string) => query.get(shared + name) ?? query.get(name) ?? '',
    getLanguage: () => spaceport.locale.split('-')[0] ?? '',
    async getUser() {
      const { handle, guest } = spaceport.player.get();
      return guest || handle === null ? null : { username: handle, avatarUrl: neutralPicture };
    },
    getToken: async () => (spaceport.player.get().guest ? null : spaceport.player.token()),
    async login(): Promise<void> {
      await spaceport.player.signIn();
    },
    captureError: (error: unknown) => spaceport.error(error),
    measure() {},
    enableEventTracking() {},
    movePill() {},
    openExternalLink() {},
    playtestSetCanvas() {},
    setDebug() {},
    setLogging() {},
  };
}
