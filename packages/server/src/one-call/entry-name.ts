/** The place of an archive's entry in the packed folder. */
export type EntryPlace =
  /** Empty for the folder itself. */
  { readonly segments: readonly string[] } | { readonly problem: string };

/** Reads the name of an entry. `scan` later checks whether a version may have that path. */
export function placeOf(name: string): EntryPlace {
  if (/^(?:\/|[a-z]:)/iu.test(name)) return { problem: 'is an absolute path' };
  const segments = name.normalize('NFC').split('/');
  // Names of folders end in a slash.
  if (segments.at(-1) === '') segments.pop();
  // `tar c .` writes names that begin like this.
  while (segments[0] === '.') segments.shift();
  if (segments.includes('..')) return { problem: 'leads out of the folder' };
  return { segments };
}
