import { subscribe } from 'node:diagnostics_channel';
import { getCompileCacheDir } from 'node:module';
import { basename, join } from 'node:path';
import process from 'node:process';
import { setFlagsFromString } from 'node:v8';
import { readyChannel } from '../commands/compiled-code.ts';
import { ChunkLoader } from './chunk-loader.ts';
import { type CodeCache, readCodeCache, shippedName, writeCodeCache } from './code-cache.ts';
import { readyFlag } from './engine-flags.ts';

/** By now, the functions of a start have been called. */
const settledMs = 500;

/**
 * Starts the built server with compiled code: that which the build was shipped with, and that which earlier
 * starts on this machine kept beside Node's compile cache, because the build was made by another Node, or
 * because they used other parts of it.
 */
const folder = import.meta.dirname;
const compileCache = getCompileCacheDir();
const ownPath = compileCache === undefined ? null : join(compileCache, `spaceport-${basename(folder)}.code`);
const caches = [
  ownPath === null ? null : readCodeCache(ownPath),
  readCodeCache(join(folder, shippedName)),
].filter((cache): cache is CodeCache => cache !== null);
const loader = new ChunkLoader(folder, caches);

// Node warns at the first `import()` in code that has a cache, and nobody who runs the server can change that.
const { emitWarning } = process;
process.emitWarning = (warning: string | Error, ...more: unknown[]) => {
  if (String(warning).startsWith('vm.USE_MAIN_CONTEXT_DEFAULT_LOADER ')) return;
  Reflect.apply(emitWarning, process, [warning, ...more]);
};

subscribe(readyChannel, () => {
  for (const cache of caches.splice(0)) cache.free();
  // V8 accepts compiled code only with the flags that it was made with, and a start uses code that was made without.
  if (ownPath === null || !loader.hasCompiled) setFlagsFromString(readyFlag);
  else
    setTimeout(() => {
      keepIn(ownPath);
      setFlagsFromString(readyFlag);
    }, settledMs).unref();
});
loader.load('server.cjs');

/** Adds the code that no cache had. A start without it is slower, and does the same. */
function keepIn(path: string): void {
  try {
    writeCodeCache(path, () => new Map([...(readCodeCache(path)?.entries ?? []), ...loader.compiledCode()]));
  } catch {
    // The folder is read-only, or the disk is full.
  }
}
