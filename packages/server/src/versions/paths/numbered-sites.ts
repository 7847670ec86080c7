import type { VersionId } from '../../platform/db/ids.ts';
import type { Db } from '../../platform/db/schema.ts';
import type { Site, SiteAtHost, SiteFile } from '../../serving/site.ts';
import type { SpaceRow } from '../../spaces/spaces.ts';
import { buildSite, loadSite } from '../load-site.ts';
import { hashesOf, type Manifest } from '../manifest.ts';
import { findManifest, findVersion, type VersionRow } from '../versions.queries.ts';
import { findDeltas } from './deltas.queries.ts';
import { addDeltas } from './deltas.ts';
import { findKeptNumbers, findServedNumbers, type ServedNumber, type Skew } from './version-paths.queries.ts';

type Space = Pick<SpaceRow, 'id'>;

/** Returns the live version as it is served, and the numbers at which it and earlier versions are served; undefined if it is gone. */
export async function liveByNumber(
  db: Db,
  space: Space,
  versionId: VersionId,
  skew: Skew,
): Promise<{ site: Site; numbers: ReadonlyMap<number, number> } | undefined> {
  const [served, version, manifest] = await Promise.all([
    findServedNumbers(db, space.id, skew),
    findVersion(db, versionId),
    findManifest(db, versionId),
  ]);
  if (!version || !manifest) return undefined;
  const own = served.find(({ id }) => id === versionId);
  return {
    site: own ? await siteAt(db, space, { version, manifest, own }) : await buildSite(db, version, manifest),
    numbers: new Map(served.map(({ number, until }) => [number, until])),
  };
}

/**
 * Returns what is served at the number of a version: the version, the files that others redirect to, or
 * nothing.
 */
export async function findNumbered(db: Db, space: Space, number: number, skew: Skew): Promise<SiteAtHost> {
  const served = await findServedNumbers(db, space.id, skew);
  const own = served.find((version) => version.number === number);
  if (!own) return findRemains(db, space, number, served);
  const [version, manifest] = await Promise.all([findVersion(db, own.id), findManifest(db, own.id)]);
  if (!version || !manifest) return { is: 'gone' };
  return { is: 'site', site: await siteAt(db, space, { version, manifest, own }), temporary: false };
}

/** A version that is served at an address of its own. */
interface Numbered {
  readonly version: VersionRow;
  readonly manifest: Manifest;
  readonly own: ServedNumber;
}

/** Builds the site of a version as it is served at its own address. */
async function siteAt(db: Db, space: Space, { version, manifest, own }: Numbered): Promise<Site> {
  const origins = own.origins();
  const [site, deltas, kept] = await Promise.all([
    buildSite(db, version, manifest),
    findDeltas(db, hashesOf(manifest)),
    findKeptNumbers(db, space.id, [...new Set(origins.map(([, number]) => number))]),
  ]);
  return {
    ...addDeltas(site, deltas),
    firstFiles: own.firstFiles(),
    ...(origins.length > 0 && { origins: new Map(origins.filter(([, number]) => kept.has(number))) }),
  };
}

/**
 * Finds the files that remain at the number of a version that is no longer served. Browsers keep redirects
 * for a year and request the target again after dropping it. So this address still gives the files that a
 * served version redirects to it: their bytes are the same.
 */
async function findRemains(
  db: Db,
  space: Space,
  number: number,
  served: readonly ServedNumber[],
): Promise<SiteAtHost> {
  const files = new Map<string, SiteFile>();
  let remains: Site | null = null;
  for (const one of served) {
    const paths = one.origins().flatMap(([path, origin]) => (origin === number ? [path] : []));
    const version = paths.length > 0 && (await findVersion(db, one.id));
    if (!version) continue;
    const site = await loadSite(db, version);
    const hashes = new Set([...site.files.values()].map(({ hash }) => hash));
    remains = addDeltas(site, await findDeltas(db, [...hashes]));
    for (const path of paths) {
      const file = remains.files.get(path);
      if (file) files.set(path, file);
    }
  }
  if (!remains) return { is: 'gone' };
  const isKept = (await findKeptNumbers(db, space.id, [number])).has(number);
  return {
    is: 'site',
    site: { ...remains, files, spa: false, sdk: false },
    temporary: false,
    remains: isKept ? 'all' : 'led',
  };
}
