import { start } from './start.ts';
import type { Spaceport } from './types.ts';

export type * from './types.ts';

/**
 * Returns the module for pages that bundle it: the page's own if the service has loaded one, else a new one.
 * @param service the address of the service that lists the page, `https://arcade.example`; without it scores
 * and saves stay in the browser
 */
export function connect(service?: string): Spaceport {
  const app = service === undefined ? null : new URL(service).origin;
  return start(
    app === null ? null : { app, hosted: false, env: 'live', version: null, ascending: [], storage: false },
    window,
    () => import('./together.ts'),
  );
}
