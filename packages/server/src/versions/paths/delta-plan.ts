import { mostDeltaBytes } from '../../platform/blobs/delta.ts';
import { mediaTypeOf } from '../../serving/media-types.ts';
import { dictionaryMatch, isDocument } from '../../serving/version-path.ts';
import type { Manifest } from '../manifest.ts';

/** A delta that browsers may request: `file`, encoded against `dictionary`. Both are hashes. */
export interface WantedDelta {
  readonly file: string;
  readonly dictionary: string;
}

/**
 * Lists the deltas of a version's files against the earlier files at the same paths, each once. An unchanged
 * text gets a delta against itself: it has a new address in this version and is sent again. An unchanged
 * binary that compresses well gets one too, for browsers that have dropped the file and kept the dictionary.
 * @param before the versions that were live most recently
 */
export function wantedDeltas(manifest: Manifest, before: readonly Manifest[]): WantedDelta[] {
  const earlier = before.map((files) => new Map(files.map(([path, hash, size]) => [path, { hash, size }])));
  const wanted = new Map<string, WantedDelta>();
  for (const [path, file, size] of manifest) {
    const media = mediaTypeOf(path);
    if (isDocument(media) || media.coding !== undefined || size > mostDeltaBytes) continue;
    const dictionaries = earlier.flatMap((files) => files.get(path) ?? []);
    if (media.compressible) dictionaries.push({ hash: file, size });
    for (const { hash, size: bytes } of dictionaries) {
      const isSame = hash === file && !media.compressible;
      if (isSame || bytes > mostDeltaBytes || dictionaryMatch(path, bytes) === null) continue;
      wanted.set(`${file} ${hash}`, { file, dictionary: hash });
    }
  }
  return [...wanted.values()];
}
