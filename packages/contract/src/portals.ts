/**
 * Portals whose SDK a space's page may load, and which the service answers with a script of its own. Plain data: the module
 * that spaces' pages load reads it too.
 */
export const portals = {
  /** HTML5 SDK v3. */
  crazygames: { name: 'CrazyGames', sdk: 'sdk.crazygames.com/crazygames-sdk-v3.js' },
  /** SDK v2. */
  poki: { name: 'Poki', sdk: 'game-cdn.poki.com/scripts/v2/poki-sdk.js' },
  playables: { name: 'YouTube Playables', sdk: 'www.youtube.com/game_api/v1' },
} as const;
export type Portal = keyof typeof portals;
export const portalNames = Object.keys(portals) as Portal[];

/** Which portal's SDK is at an address: with a scheme or without (`//host/…`), whatever its query. */
export function portalOf(address: string): Portal | null {
  const [, place] = /^\s*(?:https?:)?\/\/([^?#\s]+)/iu.exec(address) ?? [];
  return portalNames.find((name) => portals[name].sdk === place) ?? null;
}

/** What the service writes into a portal's script, where its text has `servedShimName`. */
export interface ServedShim {
  /** Key of the board that takes the scores of SDKs that name none: the first that players post to by themselves. */
  board: string | null;
}
export const servedShimName = 'SPACEPORT_SHIM';
