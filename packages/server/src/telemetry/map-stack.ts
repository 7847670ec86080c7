import { text } from 'node:stream/consumers';
import type { BlobStore } from '../platform/blobs/blob-store.ts';
import type { Platform } from '../platform/context.ts';
import type { VersionId } from '../platform/db/ids.ts';
import { newestOf } from '../platform/limits/newest-of.ts';
import { type StoredFile, storedFilesOf } from '../versions/stored-files.ts';
import { createMapReader, type Position } from './read-source-map.ts';
import { frameIn, type StackFrame } from './stack-frames.ts';

/**
 * Returns a stack with the positions in the sources; null if no source map of the version has any of them.
 */
export type MapStack = (versionId: VersionId, stack: string) => Promise<string | null>;

const maxMapBytes = 8 * 1024 * 1024;
/** The most scripts of one stack whose maps are read. */
const mostMaps = 4;
/** A script names its map within this many bytes of its end. */
const tailBytes = 4_096;
const cachedStacks = 200;

/**
 * Maps stacks when an owner reads them, not when they are reported. It uses the maps that were
 * published beside the scripts.
 */
export function createMapStack({
  database,
  store,
  log,
}: Pick<Platform, 'database' | 'store' | 'log'>): MapStack {
  const cached = newestOf<{ mapped: string | null }>(cachedStacks);
  const readPositions = createMapReader();

  const positionsIn = async (
    files: readonly StoredFile[],
    script: StoredFile,
    frames: readonly StackFrame[],
  ) => {
    const map = await findMap(store, files, script);
    if (!map || map.size > maxMapBytes) return null;
    const found = await readPositions(await store.read(map.key), frames);
    return found && new Map(frames.map((frame, index) => [frame, found[index] ?? null]));
  };

  async function mapped(versionId: VersionId, stack: string): Promise<string | null> {
    const files = await storedFilesOf(database.db, versionId);
    const lines = stack.split('\n').map((line) => ({ line, frame: frameIn(line) }));
    const frames = lines.flatMap(({ frame }) => frame ?? []);
    const ofScripts = Map.groupBy(frames, ({ url }) => fileAt(files, url));
    const positions = new Map<StackFrame, Position | null>();
    for (const [script, own] of [...ofScripts].slice(0, mostMaps)) {
      if (!script) continue;
      for (const [frame, position] of (await positionsIn(files, script, own)) ?? [])
        positions.set(frame, position);
    }
    if (![...positions.values()].some((position) => position !== null)) return null;
    return lines
      .map(({ line, frame }) => {
        const position = frame && positions.get(frame);
        return position ? frameLine(frame, position) : line;
      })
      .join('\n');
  }

  return async (versionId, stack) => {
    const key = `${versionId} ${stack}`;
    const known = cached.get(key);
    if (known) return known.mapped;
    const result = await mapped(versionId, stack).catch((error) => {
      // The original stack is better than no answer.
      log.warn({ err: error, versionId }, 'a stack could not be mapped');
      return undefined;
    });
    if (result !== undefined) cached.set(key, { mapped: result });
    return result ?? null;
  };
}

function frameLine({ functionName }: StackFrame, { source, line, column }: Position): string {
  const place = `${source}:${line}:${column}`;
  return functionName === null ? `    at ${place}` : `    at ${functionName} (${place})`;
}

/** Returns the script of a version that an address means: by its path, or beside the entry. */
function fileAt(files: readonly StoredFile[], { pathname }: URL): StoredFile | undefined {
  const path = decoded(pathname).replace(/^\/(?:~\d+\/)?/u, '');
  if (path === '') return undefined;
  return files.find((file) => file.path === path) ?? files.find((file) => file.path.endsWith(`/${path}`));
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path).normalize('NFC');
  } catch {
    return path;
  }
}

/** Returns the map that a script names at its end, or else `file.js.map` beside it. */
async function findMap(
  store: BlobStore,
  files: readonly StoredFile[],
  script: StoredFile,
): Promise<StoredFile | undefined> {
  const beside = files.find(({ path }) => path === `${script.path}.map`);
  if (script.size === 0) return beside;
  const range = { start: Math.max(0, script.size - tailBytes), end: script.size - 1 };
  const tail = await text(await store.open(script.key, range));
  const named = /\/\/[#@] ?sourceMappingURL=(\S{1,500})\s*$/u.exec(tail)?.[1];
  const address = named === undefined ? null : URL.parse(named, `http://x/${script.path}`);
  if (address?.host !== 'x') return beside;
  const path = decoded(address.pathname).slice(1);
  return files.find((file) => file.path === path) ?? beside;
}
