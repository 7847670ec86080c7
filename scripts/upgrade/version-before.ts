import { execFileSync } from 'node:child_process';
import { newestRelease } from '../../packages/server/test/newest-release.ts';

/** Returns the newest tag `v*` before HEAD, else the recorded release, or why this clone has neither. */
export function versionBefore(root: string): { readonly ref: string } | { readonly lacks: string } {
  const git = (...args: string[]): string | null => {
    try {
      const stdio = ['ignore', 'pipe', 'ignore'] as const;
      return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: [...stdio] }).trim();
    } catch {
      return null;
    }
  };
  const tag = git('describe', '--tags', '--abbrev=0', '--match', 'v*', 'HEAD^');
  if (tag !== null) return { ref: tag };
  const { version, commit } = newestRelease;
  if (git('rev-parse', '--verify', '--quiet', `${commit}^{commit}`) !== null) return { ref: commit };
  const said = `the commit of ${version} (${commit.slice(0, 8)}) is not in this clone`;
  if (git('rev-parse', '--is-shallow-repository') === 'true')
    return { lacks: `${said}, which is shallow: git fetch --unshallow` };
  throw new Error(`Wrong record of the newest release: ${said}.`);
}
