import type { Gateway, Portal } from '@spaceport/contract/portals';
import { crazyGamesCalls } from './crazygames/documented.ts';
import type { Documented, DocumentedCalls, DocumentedSdk } from './documented-sdk.ts';
import { gameJoltCalls } from './gateways/gamejolt/documented.ts';
import { newgroundsCalls } from './gateways/newgrounds/documented.ts';
import { playablesCalls } from './playables/documented.ts';
import { pokiCalls } from './poki/documented.ts';

export const documentedSdks: Readonly<Record<Portal, DocumentedSdk>> = {
  crazygames: crazyGamesCalls,
  poki: pokiCalls,
  playables: playablesCalls,
};

export const documentedGateways: Readonly<Record<Gateway, DocumentedCalls>> = {
  newgrounds: newgroundsCalls,
  gamejolt: gameJoltCalls,
};

/** Returns every name, in the order of the list. */
export function namesOf({ documented }: { readonly documented: readonly Documented[] }): string[] {
  return documented.flatMap(({ names }) => names);
}
