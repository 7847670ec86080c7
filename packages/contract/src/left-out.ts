import { foldPath } from '@spaceport/contract/paths';

/** A path and why, as the end of "«path» …". */
export interface PathNote {
  readonly path: string;
  readonly reason: string;
}

/**
 * Why a file or folder of this name is left out of what is published, or null when it is not. By the folded name, as the
 * service compares it: what it would refuse under any spelling is not sent.
 */
export function leftOutReason(name: string): string | null {
  const folded = foldPath(name);
  if (folded.startsWith('.')) return 'dotfiles and dot-folders are not published';
  if (folded === 'node_modules') return 'node_modules is not published';
  if (folded === 'service.json') return 'read by the publisher, not published';
  return null;
}
