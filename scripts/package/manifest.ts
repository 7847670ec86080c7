import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The parts of a package.json that are used here. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly type: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/**
 * In the workspace, packages run from their sources, but npm packs the same package.json. So a generated
 * package.json replaces the workspace's one from `prepack` to `postpack`. This is the path of the saved
 * original.
 */
const kept = (folder: string) => join(folder, 'package.json.unpacked');
const current = (folder: string) => join(folder, 'package.json');

/** Reads the workspace's package.json, also after an interrupted pack. */
export function readManifest(folder: string): Manifest {
  const file = existsSync(kept(folder)) ? kept(folder) : current(folder);
  // The file is our own.
  return JSON.parse(readFileSync(file, 'utf8')) as Manifest;
}

export function putPacked(folder: string, packed: object): void {
  if (!existsSync(kept(folder))) renameSync(current(folder), kept(folder));
  writeFileSync(current(folder), `${JSON.stringify(packed, null, 2)}\n`);
}

export function putBack(folder: string): void {
  if (existsSync(kept(folder))) renameSync(kept(folder), current(folder));
}
