import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { DocumentFiles, PageRenderer } from '@spaceport/contract/document';
import { shimNames } from '@spaceport/contract/portals';
import type { Logger } from 'pino';
import { madeOnce } from '../../platform/made-once.ts';
import type { ModuleSources } from '../../serving/module/module-texts.ts';
import { builtShimPath, cliFolder, ensureBuild, modulePath, rendererPath, togetherPath } from './build.ts';
import { readManifest } from './manifest.ts';

/** One built file with its compressed forms. */
export interface BuiltFile {
  readonly identity: Buffer;
  readonly br: Buffer | null;
  readonly gzip: Buffer | null;
}

/** The scripts and styles of our pages, the command line, and the module of spaces' pages. */
export interface BuiltPages {
  /**
   * Returns the files of a page, by its name in packages/web/src/pages, or of an enhancement of a document,
   * by its name in packages/web/src; with neither, only the styles. Waits for a build under way. Returns null
   * if there is no build; pages then work as they do without script.
   */
  files(page: string | null, enhancement?: string): Promise<DocumentFiles | null>;
  /** Returns the document renderer, or null if nothing is built. It is loaded at the first document. */
  renderer(): Promise<PageRenderer | null>;
  /** Returns a file by its address below /assets/, or null if the build has no such file. */
  read(name: string): Promise<BuiltFile | null>;
  /**
   * Returns the files of the command line's package by name, without the service's address, or null if
   * nothing is built.
   */
  cli(): Promise<ReadonlyMap<string, Buffer> | null>;
  /**
   * Returns the built module for spaces' pages, its second script and the portal scripts, or null if nothing
   * is built. Waits for a build under way.
   */
  module(): Promise<ModuleSources | null>;
  close(): void;
}

interface Build {
  readonly filesOf: (page: string | null, enhancement?: string) => DocumentFiles;
  readonly folder: string;
  readonly names: ReadonlySet<string>;
  readonly renderer: () => Promise<PageRenderer>;
}

export interface BuiltPagesOptions {
  /**
   * The folder of a build to serve. By default the build of the current sources, which is made if it is
   * missing.
   */
  readonly folder?: string | undefined;
  readonly log: Logger;
}

/** Longest time that a page waits for the first build. */
const maxWaitMs = 20_000;

export function openBuiltPages({ folder, log }: BuiltPagesOptions): BuiltPages {
  const closing = new AbortController();
  const kept = new Map<string, () => Promise<BuiltFile>>();
  let build: Build | null = null;
  const opened = open(folder, closing.signal).then(
    (made) => {
      build = made;
    },
    (error: unknown) => {
      if (!closing.signal.aborted)
        log.error({ err: error }, 'pages not built: they work without script only');
    },
  );
  const ready = async () => {
    if (build === null) await Promise.race([opened, pause(maxWaitMs, undefined, { ref: false })]);
    return build;
  };
  return {
    async files(page, enhancement) {
      return (build ?? (await ready()))?.filesOf(page, enhancement) ?? null;
    },
    renderer: async () => (build ?? (await ready()))?.renderer() ?? null,
    async read(name) {
      const current = build ?? (await ready());
      if (!current?.names.has(name)) return null;
      const path = join(current.folder, 'assets', name);
      const file = kept.get(name) ?? madeOnce(() => readForms(path, current.names, name));
      kept.set(name, file);
      return file();
    },
    async cli() {
      const folder = (build ?? (await ready()))?.folder;
      return folder === undefined ? null : readFolder(join(folder, cliFolder));
    },
    async module() {
      await opened;
      if (build === null) return null;
      return readModule(build.folder).catch((error: unknown) => {
        log.error({ err: error }, 'the build has no module: spaces are served without');
        return null;
      });
    },
    close: () => closing.abort(),
  };
}

async function open(given: string | undefined, signal: AbortSignal): Promise<Build> {
  const folder = given ?? (await ensureBuild({ signal }));
  return {
    folder,
    renderer: madeOnce(() => import(pathToFileURL(join(folder, rendererPath)).href)),
    filesOf: await readManifest(folder),
    names: new Set(await readdir(join(folder, 'assets'))),
  };
}

async function readModule(folder: string): Promise<ModuleSources> {
  const read = (path: string) => readFile(join(folder, path), 'utf8');
  const shims = await Promise.all(
    shimNames.map(async (name) => [name, await read(builtShimPath(name))] as const),
  );
  const [module, together] = await Promise.all([read(modulePath), read(togetherPath)]);
  return { module, together, shims: Object.fromEntries(shims) };
}

async function readFolder(folder: string): Promise<ReadonlyMap<string, Buffer>> {
  const names = (await readdir(folder)).sort();
  return new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name))] as const)),
  );
}

async function readForms(path: string, names: ReadonlySet<string>, name: string): Promise<BuiltFile> {
  const form = (ending: string) => (names.has(name + ending) ? readFile(path + ending) : null);
  const [identity, br, gzip] = await Promise.all([readFile(path), form('.br'), form('.gz')]);
  return { identity, br, gzip };
}
