import { mediaTypeOf } from '../../serving/media-types.ts';
import { mayBeLed } from '../../serving/version-path.ts';
import type { Manifest } from '../manifest.ts';

/** Pairs of a path and the number of the version whose address has the same bytes. */
export type Origins = readonly (readonly [path: string, number: number])[];

/** A version that was live earlier. */
export interface Before {
  readonly number: number;
  readonly manifest: Manifest;
  readonly origins: Origins;
}

/**
 * Decides where requests for files of a version are redirected: to the first version that had the same bytes
 * at the path. This is settled when the version goes live and never changes, because browsers keep redirects.
 * A target never redirects further.
 * @param before the versions that were live most recently, the newest first
 */
export function originsOf(manifest: Manifest, before: readonly Before[]): Origins {
  const earlier = before.map((version) => ({
    number: version.number,
    hashes: new Map(version.manifest.map(([path, hash]) => [path, hash])),
    origins: new Map(version.origins),
  }));
  return manifest.flatMap(([path, hash, size]) => {
    if (!mayBeLed(mediaTypeOf(path), size)) return [];
    const same = earlier.find(({ hashes }) => hashes.get(path) === hash);
    return same ? [[path, same.origins.get(path) ?? same.number] as const] : [];
  });
}
