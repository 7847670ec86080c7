/** Where an entry of an archive belongs in the folder that was packed. */
export type EntryPlace =
  /** Empty for the folder itself. */
  { readonly segments: readonly string[] } | { readonly problem: string };

/** Reads the name of an entry. `scan` checks later whether a version may have that path. */
export function placeOf(name: string): EntryPlace {
  if (/^(?:\/|[a-z]:)/iu.test(name)) return { problem: 'is an absolute path' };
  const segments = name.normalize('NFC').split('/');
  // A folder ends in a slash.
  if (segments.at(-1) === '') segments.pop();
  // `tar c .` writes names that begin like this.
  while (segments[0] === '.') segments.shift();
  if (segments.includes('..')) return { problem: 'leads out of the folder' };
  return { segments };
}
