import { mediaTypeOf } from '../../serving/media-types.ts';
import { mayBeLed } from '../../serving/version-path.ts';
import type { Manifest } from '../manifest.ts';

/** Path → the version whose address has the same bytes. */
export type Origins = readonly (readonly [path: string, number: number])[];

/** A version that was live before. */
export interface Before {
  readonly number: number;
  readonly manifest: Manifest;
  readonly origins: Origins;
}

/**
 * Where requests for files of a version are led: to the first version that had the bytes there. It is settled when the
 * version goes live and says the same ever after, because browsers keep it; and it never leads to what leads on itself.
 * @param before the versions that were live last, the newest first
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
