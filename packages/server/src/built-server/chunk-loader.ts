import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { constants, Script } from 'node:vm';
import { crc32 } from 'node:zlib';
import { release } from '../platform/blobs/release.ts';
import type { CodeCache, CompiledCode } from './code-cache.ts';

/** The parameters of Node's own loader. */
const before = Buffer.from('(function (exports, require, module, __filename, __dirname) {');
const after = Buffer.from('\n})');

interface Chunk {
  readonly exports: object;
}

/** Loads the files of a build as Node's `require` does, and with compiled code from caches. */
export class ChunkLoader {
  readonly #folder: string;
  readonly #caches: readonly CodeCache[];
  readonly #chunks = new Map<string, Chunk>();
  /** What no cache had. */
  readonly #compiled = new Map<string, { script: Script; textChecksum: number }>();
  readonly #require: NodeJS.Require;

  /** @param caches the first that has a file's code is used. They can be emptied after the start. */
  constructor(folder: string, caches: readonly CodeCache[]) {
    this.#folder = folder;
    this.#caches = caches;
    const require = createRequire(join(folder, 'chunk.cjs'));
    this.#require = Object.assign(
      (name: string) => (name.startsWith('./') ? this.load(name.slice(2)) : require(name)),
      require,
    );
  }

  /** Returns the exports of a file, which runs at its first load. */
  load(name: string): object {
    const loaded = this.#chunks.get(name);
    if (loaded) return loaded.exports;
    const module = { exports: {} };
    this.#chunks.set(name, module);
    const path = join(this.#folder, name);
    const run = this.#scriptOf(name, path).runInThisContext();
    run.call(module.exports, module.exports, this.#require, module, path, this.#folder);
    return module.exports;
  }

  /** Returns whether a file was loaded that no cache had. */
  get hasCompiled(): boolean {
    return this.#compiled.size > 0;
  }

  /** Returns the code of files that no cache had, with all functions that were called by now. */
  compiledCode(): Map<string, CompiledCode> {
    return new Map(
      [...this.#compiled].map(([name, { script, textChecksum }]) => [
        name,
        { textChecksum, code: script.createCachedData() },
      ]),
    );
  }

  #scriptOf(name: string, path: string): Script {
    const text = wrapped(path);
    const textChecksum = crc32(text);
    const cachedData = this.#caches
      .map((cache) => cache.entries.get(name))
      .find((found) => found?.textChecksum === textChecksum)?.code;
    const script = new Script(text.toString('latin1'), {
      filename: path,
      ...(cachedData && { cachedData }),
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    });
    release([text]);
    // V8 rejects code of another V8.
    if (script.cachedDataRejected !== false) this.#compiled.set(name, { script, textChecksum });
    return script;
  }
}

/** Returns a file's text, which is ASCII (build/plain-text.ts), as that of a function. */
const wrapped = (path: string) => Buffer.concat([before, readFileSync(path), after]);
