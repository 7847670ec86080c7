import type { PortalKeys } from './portal-keys.ts';

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
  const place = placeOf(address);
  return portalNames.find((name) => portals[name].sdk === place) ?? null;
}

/**
 * Portals whose games carry no script of theirs, but call a server of theirs by its address. What answers in its place has to
 * be told which game it is and what its numbers stand for (portal-keys.ts).
 */
export const gateways = {
  newgrounds: { name: 'Newgrounds.io', at: /^(?:www\.)?newgrounds\.io\/gateway_v3\.php$/u },
  gamejolt: { name: 'Game Jolt', at: /^(?:api\.)?gamejolt\.com\/api\/game\/v1(?:_\d)?\// },
} as const;
export type Gateway = keyof typeof gateways;
export const gatewayNames = Object.keys(gateways) as Gateway[];

/** Whose server is called at an address. */
export function gatewayOf(address: string): Gateway | null {
  const place = placeOf(address) ?? '';
  return gatewayNames.find((name) => gateways[name].at.test(place)) ?? null;
}

function placeOf(address: string): string | undefined {
  return /^\s*(?:https?:)?\/\/([^?#\s]+)/iu.exec(address)?.[1];
}

/** The scripts that stand in: one for each portal with an SDK, and one for those that are called. */
export const shimNames = [...portalNames, 'gateways'] as const;
export type ShimName = (typeof shimNames)[number];

/** What the service writes into such a script, where its text has `servedShimName`. */
export interface ServedShim {
  /** Origin of the service's pages. */
  app: string;
  /** Key of the board that takes the scores of SDKs that name none: the first that players post to by themselves. */
  board: string | null;
  /** Of the portals that are called; missing where the space names none, and in the other scripts. */
  keys?: PortalKeys;
}
export const servedShimName = 'SPACEPORT_SHIM';
