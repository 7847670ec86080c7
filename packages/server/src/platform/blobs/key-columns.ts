/**
 * The columns with keys of the store. A stored copy that none of them names is an orphan, which the collector
 * deletes. A backup copies what they name.
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
