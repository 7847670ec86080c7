import type { PortalKeys } from './portal-keys.ts';

/**
 * Portals whose SDK a space's page may load; the service replaces it with a script of its own. This is plain
 * data, because the module in spaces' pages reads it too.
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

/**
 * Returns the portal whose SDK is at an address, with or without a scheme (`//host/…`) and with any query, or
 * null.
 */
export function portalOf(address: string): Portal | null {
  const place = placeOf(address);
  return portalNames.find((name) => portals[name].sdk === place) ?? null;
}

/**
 * Portals that have no script in a game's page: the game calls the portal's server by its address. The script
 * that answers in its place needs the game's id and its numbers (portal-keys.ts).
 */
export const gateways = {
  newgrounds: { name: 'Newgrounds.io', at: /^(?:www\.)?newgrounds\.io\/gateway_v3\.php$/u },
  gamejolt: { name: 'Game Jolt', at: /^(?:api\.)?gamejolt\.com\/api\/game\/v1(?:_\d)?\// },
} as const;
export type Gateway = keyof typeof gateways;
export const gatewayNames = Object.keys(gateways) as Gateway[];

/** Returns the portal whose server is at an address, or null. */
export function gatewayOf(address: string): Gateway | null {
  const place = placeOf(address) ?? '';
  return gatewayNames.find((name) => gateways[name].at.test(place)) ?? null;
}

function placeOf(address: string): string | undefined {
  return /^\s*(?:https?:)?\/\/([^?#\s]+)/iu.exec(address)?.[1];
}

/**
 * The replacement scripts: one for each portal with an SDK, and one for all portals that are called by
 * address.
 */
export const shimNames = [...portalNames, 'gateways'] as const;
export type ShimName = (typeof shimNames)[number];

/** The facts that the service writes into a replacement script, in place of `servedShimName`. */
export interface ServedShim {
  /** Origin of the service's pages. */
  app: string;
  /** Key of the board for scores of SDKs that name no board: the first board that players may post to. */
  board: string | null;
  /**
   * Keys of the portals that are called by address. Missing if the space names none, and in the other
   * scripts.
   */
  keys?: PortalKeys;
}
export const servedShimName = 'SPACEPORT_SHIM';
