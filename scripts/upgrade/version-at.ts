import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

/** The project at a commit, built, with the packages of its own lockfile that it runs with. */
export interface VersionAt {
  readonly main: string;
  readonly commit: string;
  remove(): void;
}

/**
 * Installs the version at `ref`. Its tools (compilers, the bundler, a browser for tests) are most of what npm
 * would unpack; the one that it needs, the bundler, is this version's.
 * @throws an error if it cannot be installed; npm says why on stderr
 */
export function installVersionAt(root: string, ref: string): VersionAt {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, maxBuffer: 1024 ** 3 });
  const commit = git('rev-parse', '--verify', '--short', `${ref}^{commit}`).toString().trim();
  const around = mkdtempSync(join(tmpdir(), 'spaceport-before-'));
  const folder = join(around, 'version');
  const remove = () => rmSync(around, { recursive: true, force: true });
  const run = (program: string, ...args: string[]) =>
    execFileSync(program, args, {
      cwd: folder,
      env: cleanEnvironment(),
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  try {
    mkdirSync(folder);
    execFileSync('tar', ['-x', '-C', folder], { input: git('archive', commit) });
    // Node looks here for packages that the version itself does not have.
    symlinkSync(join(root, 'node_modules'), join(around, 'node_modules'));
    // No package that the service runs with has a script of its own.
    run('npm', 'ci', '--omit=dev', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund');
    run(process.execPath, 'scripts/build.ts');
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
