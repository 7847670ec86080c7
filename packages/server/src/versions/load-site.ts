import { sortOf } from '@spaceport/contract/board-order';
import type { BoardDeclaration } from '@spaceport/contract/declarations';
import type { VersionId } from '../platform/db/ids.ts';
import type { Db } from '../platform/db/schema.ts';
import type { Site, SiteFile } from '../serving/site.ts';
import { declarationsOf, defaultEntry } from './declarations.ts';
import { hashesOf, type Manifest } from './manifest.ts';
import { findForms } from './packing.queries.ts';
import type { StoredFile } from './stored-files.ts';
import { findTakenDown } from './taken-down.queries.ts';
import { findBlobs, findManifest, findVersion, readManifest, type VersionRow } from './versions.queries.ts';

/** Loads one version as it is served, whatever its state. */
export async function loadSite(db: Db, version: VersionRow): Promise<Site> {
  return buildSite(db, version, await readManifest(db, version.id));
}

/** Builds the site of a version whose manifest was read. */
export async function buildSite(db: Db, version: VersionRow, manifest: Manifest): Promise<Site> {
  return (await loadFiles(db, version, manifest)).site;
}

/** Loads the version with this id; undefined if there is none. */
export async function loadById(
  db: Db,
  id: VersionId,
): Promise<{ version: VersionRow; site: Site; stored: readonly StoredFile[] } | undefined> {
  const [version, manifest] = await Promise.all([findVersion(db, id), findManifest(db, id)]);
  return version && manifest && { version, ...(await loadFiles(db, version, manifest)) };
}

/**
 * Builds a site as `loadSite` does, and lists every file of the manifest. This includes files without a row,
 * which are in no store.
 */
async function loadFiles(
  db: Db,
  version: VersionRow,
  manifest: Manifest,
): Promise<{ site: Site; stored: readonly StoredFile[] }> {
  const hashes = hashesOf(manifest);
  const [found, forms, takenDown] = await Promise.all([
    findBlobs(db, hashes),
    findForms(db, hashes),
    findTakenDown(db, hashes),
  ]);
  const blobs = new Map(found.map((blob) => [blob.hash, blob]));
  const declarations = declarationsOf(version);
  const files = new Map<string, SiteFile>();
  let isolated = false;
  for (const [path, hash] of manifest) {
    const blob = blobs.get(hash);
    // A file without a row was deleted by hand: finish saw every file, and the collector keeps the files of
    // manifests.
    if (!blob) continue;
    // The size in the manifest is only what the creator declared.
    files.set(path, { hash, size: blob.size, key: blob.key, forms: forms.get(hash) ?? {} });
    isolated ||= blob.shared_memory === 1;
  }
  const stored = manifest.map(([path, hash, size]) => ({
    path,
    hash,
    size,
    key: blobs.get(hash)?.key ?? hash,
  }));
  const site = {
    versionId: version.id,
    number: version.number,
    files,
    takenDown,
    entry: declarations.entry ?? defaultEntry,
    spa: declarations.spa ?? false,
    sdk: declarations.sdk ?? true,
    shims: declarations.shims ?? true,
    clientBoard: (declarations.boards ?? []).find(({ trust }) => trust !== 'server')?.key ?? null,
    portalKeys: declarations.portal_keys ?? null,
    storage: declarations.storage ?? true,
    ascendingBoards: (declarations.boards ?? [])
      .filter((board) => sortOf(board) === 'asc')
      .map(({ key }) => key),
    ...keepsOf(declarations.boards ?? []),
    isolated,
  };
  return { site, stored };
}

/** Returns the keys of the boards that keep another score than the best; nothing if there are none. */
function keepsOf(boards: readonly BoardDeclaration[]): Pick<Site, 'keeps'> {
  const of = (keep: 'last' | 'sum') => boards.filter((board) => board.keep === keep).map(({ key }) => key);
  const keeps = { last: of('last'), sum: of('sum') };
  return keeps.last.length + keeps.sum.length === 0 ? {} : { keeps };
}
