/** The place of an archive's entry in the packed folder. */
export type EntryPlace =
  /** Empty for the folder itself. */
  { readonly segments: readonly string[] } | { readonly problem: string };

/** Longer than any that a system can unpack. Archives may have names of many KiB, and a version short ones. */
const maxNameCharacters = 1_024;

/** Returns what is wrong with the length of a name; null if nothing is. */
export function lengthProblem(name: string): string | null {
  return name.length > maxNameCharacters ? `is longer than ${maxNameCharacters} characters` : null;
}

/** Reads the name of an entry. `scan` later checks whether a version may have that path. */
export function placeOf(name: string): EntryPlace {
  const problem = lengthProblem(name);
  if (problem !== null) return { problem };
  if (/^(?:\/|[a-z]:)/iu.test(name)) return { problem: 'is an absolute path' };
  const segments = name.normalize('NFC').split('/');
  // Names of folders end in a slash.
  if (segments.at(-1) === '') segments.pop();
  // `tar c .` writes names that begin like this.
  while (segments[0] === '.') segments.shift();
  if (segments.includes('..')) return { problem: 'leads out of the folder' };
  return { segments };
}
