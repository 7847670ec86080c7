/**
 * A page of the service's own on each content origin, which tells the app whether a frame of that origin has storage. Its
 * path is none that a version can have: what begins with a dot is not published.
 */
export const storageProbe = {
  path: '/.service/storage',
  works: 'storage works',
  refused: 'storage refused',
} as const;
