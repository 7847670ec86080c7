import manifest from '../package.json' with { type: 'json' };
import { ownOrigin } from './origin.ts';

export const version: string = manifest.version;

/** Returns the version for people, with the build, which changes more often than the version. */
export function longVersion(): string {
  const origin = ownOrigin();
  return origin === null
    ? `${version} (from its sources)`
    : `${version} (build ${origin.build}, from ${origin.server})`;
}
