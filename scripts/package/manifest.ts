import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A package.json, as far as it is looked at here. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly type: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/**
 * In the workspace packages are run from their sources, and npm has one package.json for both. So what is packed has one of its
 * own, which takes the place of the workspace's from `prepack` to `postpack`.
 */
const kept = (folder: string) => join(folder, 'package.json.unpacked');
const current = (folder: string) => join(folder, 'package.json');

/** The workspace's package.json, also after a pack that was interrupted. */
export function readManifest(folder: string): Manifest {
  const file = existsSync(kept(folder)) ? kept(folder) : current(folder);
  // It is our own.
  return JSON.parse(readFileSync(file, 'utf8')) as Manifest;
}

export function putPacked(folder: string, packed: object): void {
  if (!existsSync(kept(folder))) renameSync(current(folder), kept(folder));
  writeFileSync(current(folder), `${JSON.stringify(packed, null, 2)}\n`);
}

export function putBack(folder: string): void {
  if (existsSync(kept(folder))) renameSync(kept(folder), current(folder));
}
