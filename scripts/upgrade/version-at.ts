import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

/** The project at a commit, installed from its own lockfile. */
export interface VersionAt {
  readonly main: string;
  readonly commit: string;
  remove(): void;
}

/** @throws an error if it cannot be installed; npm says why on stderr */
export function installVersionAt(root: string, ref: string): VersionAt {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, maxBuffer: 1024 ** 3 });
  const commit = git('rev-parse', '--verify', '--short', `${ref}^{commit}`).toString().trim();
  const folder = mkdtempSync(join(tmpdir(), 'spaceport-before-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    execFileSync('tar', ['-x', '-C', folder], { input: git('archive', commit) });
    execFileSync('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'], {
      cwd: folder,
      // A clean environment, because this process's variables belong to this version.
      env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', CI: 'true' },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  } catch (error) {
    remove();
    throw error;
  }
  return { main: join(folder, 'packages/server/bin/spaceport-server.mjs'), commit, remove };
}
