/** The picture of a space: its owner's own, else the newest clip, else none. */
export function pictureOf<Cover, Clip>({
  cover,
  clip,
}: {
  readonly cover: Cover | null;
  readonly clip: Clip | null;
}): Cover | Clip | null {
  return cover ?? clip;
}
