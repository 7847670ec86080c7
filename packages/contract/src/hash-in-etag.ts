/**
 * Returns the SHA-256 in the ETag of a served file, as a person copies it: `"<hash>"`, weak (`W/"…"`), or with
 * what names the compression or the changes of the sent form behind it (`"<hash>-br"`). Returns any other text as
 * it is, in lower case.
 */
export function hashInEtag(text: string): string {
  const bare = text
    .trim()
    .replace(/^W\/|"/gu, '')
    .toLowerCase();
  return /^([0-9a-f]{64})-/u.exec(bare)?.[1] ?? bare;
}
