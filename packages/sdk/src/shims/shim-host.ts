import type { ServedShim } from '@spaceport/contract/portals';
import type { Spaceport } from '../types.ts';

/** What a shim stands on: the module of the page, which speaks for whoever plays. */
export interface ShimHost {
  readonly spaceport: Spaceport;
  readonly served: ServedShim;
  readonly frame: Window & typeof globalThis;
}

/** Where the service writes, in the script that it serves, what it knows. */
declare const SPACEPORT_SHIM: ServedShim;

/** The module is in the page before any other script. */
export function shimHost(): ShimHost {
  const spaceport: Spaceport = Reflect.get(window, 'Spaceport');
  return { spaceport, served: SPACEPORT_SHIM, frame: window };
}

/** Puts what `make` makes where the portal's script would have put it. */
export function putShim(global: string, make: (host: ShimHost) => unknown): void {
  Reflect.set(window, global, make(shimHost()));
}
