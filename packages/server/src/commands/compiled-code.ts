import { channel } from 'node:diagnostics_channel';
import { flushCompileCache } from 'node:module';

/** Told when a server is ready. */
export const readyChannel = 'spaceport:ready';

/**
 * Has the code kept that a start has compiled, for the next start: by the loader of a build
 * (`built-server/main.ts`), and by Node, which does it otherwise when a process ends. A killed process does not
 * reach its end.
 */
export function keepCompiledCode(): void {
  channel(readyChannel).publish(null);
  flushCompileCache();
}
