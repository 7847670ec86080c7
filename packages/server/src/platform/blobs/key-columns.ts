/**
 * Where rows name what the store keeps: a stored copy that none of these names is an orphan, which the collector
 * deletes, and what they name is what a backup takes along.
 */
export const blobKeyColumns = [
  ['blobs', 'key'],
  ['blob_forms', 'key'],
  ['blob_deltas', 'key'],
  ['clips', 'key'],
  ['clips', 'key_small'],
  ['covers', 'key'],
  ['covers', 'key_small'],
  ['check_pictures', 'key'],
] as const;
