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

interface Sized {
  readonly url: string;
  readonly width: number;
  readonly height: number;
}

/** Returns the picture of a space at half its width, as cards show it. */
export function halfOf({ url, width, height }: Sized): Sized {
  return { url: url.replace(/\.webp$/u, '-small.webp'), width: width / 2, height: height / 2 };
}
