import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

/** The project as it was at a commit, installed as its own lockfile says. */
export interface VersionAt {
  readonly main: string;
  readonly commit: string;
  remove(): void;
}

/** @throws with what npm said where it cannot be installed */
export function installVersionAt(root: string, ref: string): VersionAt {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  const commit = git('rev-parse', '--verify', '--short', `${ref}^{commit}`);
  const folder = mkdtempSync(join(tmpdir(), 'spaceport-before-'));
  const remove = () => {
    git('worktree', 'remove', '--force', folder);
    rmSync(folder, { recursive: true, force: true });
  };
  git('-c', 'advice.detachedHead=false', 'worktree', 'add', '--quiet', '--detach', '--force', folder, commit);
  try {
    execFileSync('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'], {
      cwd: folder,
      // What this process was started with is of the version that is here.
      env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', CI: 'true' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  } catch (error) {
    remove();
    throw error;
  }
  return { main: join(folder, 'packages/server/bin/spaceport-server.mjs'), commit, remove };
}
