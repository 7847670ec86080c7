import type { ShimHost } from '../shim-host.ts';
import { createAd, createBanner } from './ads.ts';
import { createData } from './data.ts';
import { createGame } from './game.ts';
import { createUser } from './user.ts';

/**
 * `CrazyGames.SDK` as its documents describe it, built on `Spaceport`. `documented.ts` has the answer of each
 * call.
 */
export function createCrazyGames(host: ShimHost) {
  const { data, load } = createData(host);
  let begun: Promise<void> | undefined;
  return {
    init: () => (begun ??= host.spaceport.ready().then(load)),
    environment: 'crazygames',
    isQaTool: false,
    ad: createAd(),
    banner: createBanner(),
    game: createGame(host),
    user: createUser(host),
    data,
    analytics: { trackOrder() {} },
  };
}
