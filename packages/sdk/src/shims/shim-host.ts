import type { ServedShim } from '@spaceport/contract/portals';
import type { Spaceport } from '../types.ts';

/** The environment of a replacement script: the page's module, which acts for the player. */
export interface ShimHost {
  readonly spaceport: Spaceport;
  readonly served: ServedShim;
  readonly frame: Window & typeof globalThis;
}

/** The service replaces this name with its facts in the script that it serves. */
declare const SPACEPORT_SHIM: ServedShim;

/** Returns the environment. The page's module runs before any other script, so it exists. */
export function shimHost(): ShimHost {
  const spaceport: Spaceport = Reflect.get(window, 'Spaceport');
  return { spaceport, served: SPACEPORT_SHIM, frame: window };
}

/** Defines the global of a portal's script with the result of `make`. */
export function putShim(global: string, make: (host: ShimHost) => unknown): void {
  Reflect.set(window, global, make(shimHost()));
}
