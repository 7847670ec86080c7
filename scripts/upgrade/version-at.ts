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
      env: cleanEnvironment(),
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  } catch (error) {
    remove();
    throw error;
  }
  return { main: join(folder, 'packages/server/bin/spaceport-server.mjs'), commit, remove };
}

/** What npm needs besides: how the network is reached, where a company has a proxy or an authority of its own. */
const network = /^(?:NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|SSL_CERT_DIR|HTTPS?_PROXY|NO_PROXY)$/iu;

/** Returns an environment without this process's other variables, because they belong to this version. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const { PATH = '', HOME = '' } = process.env;
  const kept = Object.entries(process.env).filter(([name]) => network.test(name));
  return { ...Object.fromEntries(kept), PATH, HOME, CI: 'true' };
}
