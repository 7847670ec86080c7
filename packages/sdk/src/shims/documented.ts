import type { Portal } from '@spaceport/contract/portals';
import { crazyGamesCalls } from './crazygames/documented.ts';
import type { DocumentedSdk } from './documented-sdk.ts';
import { playablesCalls } from './playables/documented.ts';
import { pokiCalls } from './poki/documented.ts';

export const documentedSdks: Readonly<Record<Portal, DocumentedSdk>> = {
  crazygames: crazyGamesCalls,
  poki: pokiCalls,
  playables: playablesCalls,
};

/** Every name, in the order of the list. */
export function namesOf({ documented }: DocumentedSdk): string[] {
  return documented.flatMap(({ names }) => names);
}
