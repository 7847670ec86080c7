/**
 * A page of the service on each content origin, which tells the app whether a frame of that origin has
 * storage. No version can have a file at its path, because names that begin with a dot are not published.
 */
export const storageProbe = {
  path: '/.service/storage',
  works: 'storage works',
  refused: 'storage refused',
} as const;
