import type { Db } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';
import { ServiceError } from '../platform/errors.ts';
import type { SiteAtHost } from '../serving/site.ts';
import { takeDownJob } from './job-kinds.ts';
import { hashesOf, type Manifest } from './manifest.ts';
import {
  deleteTakenDown,
  findTakenDown,
  insertTakenDown,
  listTakenDownFiles,
  listTakenDownVersions,
} from './taken-down.queries.ts';

const namedPaths = 20;

/**
 * Takes a file down. No host or node serves a version that has the file, and no new version may have it. A
 * job finds the versions and tells their owners. Runs in the caller's transaction.
 * @returns false if the file is taken down already
 */
export async function takeDown(tx: Tx, hash: string, reason: string): Promise<boolean> {
  if (!(await insertTakenDown(tx, hash, reason))) return false;
  await tx.enqueue(takeDownJob, hash);
  announceEverywhere(tx);
  return true;
}

/** Allows the file again, so that its versions are served. Returns false if the file was not taken down. */
export async function giveBack(tx: Tx, hash: string): Promise<boolean> {
  if (!(await deleteTakenDown(tx, hash))) return false;
  announceEverywhere(tx);
  return true;
}

/** Makes every site be looked up again: the versions that have the file are not known yet. */
function announceEverywhere(tx: Tx): void {
  tx.announce('space', '*');
  tx.announce('preview', '*');
}

/** Returns what was found at a host, or `gone` if one of its files is taken down. */
export function withoutTakenDown(found: SiteAtHost): SiteAtHost {
  if (found.is !== 'site' || found.site.takenDown.length === 0) return found;
  const hashes = new Set([...found.site.files.values()].map(({ hash }) => hash));
  return found.site.takenDown.some((hash) => hashes.has(hash)) ? { is: 'gone', why: 'takenDown' } : found;
}

/**
 * Returns the taken-down files in the order of their hashes, after the hash `after`, with the versions that
 * were found to have them.
 */
export async function readTakenDown(db: Db, after: string | undefined, limit: number) {
  const files = await listTakenDownFiles(db, after, limit);
  const hashes = files.map(({ hash }) => hash);
  const versions = Map.groupBy(await listTakenDownVersions(db, hashes), ({ hash }) => hash);
  return files.map((file) => ({ ...file, versions: versions.get(file.hash) ?? [] }));
}

/** Returns the paths whose files are taken down. */
export async function takenDownPaths(db: Db, manifest: Manifest): Promise<string[]> {
  const found = new Set(await findTakenDown(db, hashesOf(manifest)));
  return manifest.flatMap(([path, hash]) => (found.has(hash) ? [path] : []));
}

/** @throws `invalid_files` */
export async function requireNoneTakenDown(db: Db, manifest: Manifest): Promise<void> {
  requireNoneDown(await takenDownPaths(db, manifest));
}

/**
 * @param paths the paths whose files are taken down
 * @throws `invalid_files` if there are any
 */
export function requireNoneDown(paths: readonly string[]): void {
  if (paths.length === 0) return;
  throw new ServiceError('invalid_files', takenDownMessage(paths), { paths: paths.slice(0, namedPaths) });
}

/** @param paths at least one */
export function takenDownMessage(paths: readonly string[]): string {
  const more = paths.length > 1 ? ` (and ${paths.length - 1} more)` : '';
  return `«${paths[0]}»${more} was taken down by the operators of the service, in every space.`;
}
