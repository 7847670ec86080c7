import { foldPath } from '@spaceport/contract/paths';

/** A path with a reason, phrased as the end of "«path» …". */
export interface PathNote {
  readonly path: string;
  readonly reason: string;
}

/**
 * Returns why a file or folder of this name is not published, or null if it is. The folded name decides, as
 * in the service's own comparison: names that the service would refuse in any spelling are not sent.
 */
export function leftOutReason(name: string): string | null {
  const folded = foldPath(name);
  if (folded.startsWith('.')) return 'dotfiles and dot-folders are not published';
  if (folded === 'node_modules') return 'node_modules is not published';
  if (folded === 'service.json') return 'read by the publisher, not published';
  return null;
}
