/** Returns the picture of a space: its owner's own, else the newest clip, else null. */
export function pictureOf<Cover, Clip>({
  cover,
  clip,
}: {
  readonly cover: Cover | null;
  readonly clip: Clip | null;
}): Cover | Clip | null {
  return cover ?? clip;
}
