import { mostDeltaBytes } from '../../platform/blobs/delta.ts';
import { mediaTypeOf } from '../../serving/media-types.ts';
import { dictionaryMatch, isDocument, mayBeLed } from '../../serving/version-path.ts';
import type { Manifest } from '../manifest.ts';

/** A delta that browsers may ask for: of `file`, for those that have `dictionary`; both are hashes. */
export interface WantedDelta {
  readonly file: string;
  readonly dictionary: string;
}

/**
 * The deltas of a version's files against what the same paths had before, each once. A text that is as it was gets one
 * against itself: it has another address now, and is sent again. So does a binary that something can be saved on, for browsers
 * that have thrown it away and kept the dictionary.
 * @param before the versions that were live last
 */
export function wantedDeltas(manifest: Manifest, before: readonly Manifest[]): WantedDelta[] {
  const earlier = before.map((files) => new Map(files.map(([path, hash, size]) => [path, { hash, size }])));
  const wanted = new Map<string, WantedDelta>();
  for (const [path, file, size] of manifest) {
    const media = mediaTypeOf(path);
    if (isDocument(media) || media.coding !== undefined || size > mostDeltaBytes) continue;
    const dictionaries = earlier.flatMap((files) => files.get(path) ?? []);
    if (media.compressible || !mayBeLed(media, size)) dictionaries.push({ hash: file, size });
    for (const { hash, size: bytes } of dictionaries) {
      const isSame = hash === file && !media.compressible;
      if (isSame || bytes > mostDeltaBytes || dictionaryMatch(path, bytes) === null) continue;
      wanted.set(`${file} ${hash}`, { file, dictionary: hash });
    }
  }
  return [...wanted.values()];
}
