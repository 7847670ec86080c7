import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, globSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';

/** A root in which a program sees only the given files, as far as this machine can hide the others. */
export interface EmptyRoot {
  /** A sentence on what a program in the root cannot see. */
  readonly proves: string;
  /** Returns the command that starts `node` in the root. Arguments name files by their paths in the root. */
  command(args: readonly string[]): { file: string; args: string[]; environment: Record<string, string> };
  /** Returns the path in the root of a file below `folder`. */
  pathOf(name: string): string;
}

/** Files that the kernel provides for every program. */
const given = ['/proc', '/dev/null', '/dev/urandom'];
const enter = `set -e
for each in ${given.join(' ')}; do mount --rbind "$each" "$ROOT$each"; done
exec chroot "$ROOT" /bin/node "$@"`;
/** Enters a new namespace. This needs no root rights, if the machine allows user namespaces. */
const unshare = ['--user', '--map-root-user', '--mount', 'sh', '-c', enter, 'sh'];

/**
 * Makes the folder of an unpacked archive a root that has only Node and the system's libraries besides. If
 * the machine allows no namespaces, Node is started in the folder with an empty environment; then it could
 * read other files too.
 */
export function makeEmptyRoot(folder: string): EmptyRoot {
  const programs = [process.execPath, ...nativeIn(folder)];
  for (const file of [process.execPath, ...programs.flatMap(librariesOf)]) {
    if (file.startsWith(folder)) continue;
    const to = file === process.execPath ? '/bin/node' : file;
    mkdirSync(join(folder, dirname(to)), { recursive: true });
    copyFileSync(file, join(folder, to));
  }
  for (const place of ['/tmp', '/proc', '/dev']) mkdirSync(join(folder, place), { recursive: true });
  for (const place of given.slice(1)) writeFileSync(join(folder, place), '');
  const environment = { ROOT: folder, PATH: '/usr/sbin:/usr/bin:/sbin:/bin' };
  const tried = spawnSync('unshare', [...unshare, '--version'], { env: environment });
  if (tried.status === 0)
    return {
      proves: 'a root of its own with Node and the C libraries: no npm, no shell, no other file',
      command: (args) => ({ file: 'unshare', args: [...unshare, ...args], environment }),
      pathOf: (name) => join('/', name),
    };
  const bare = join(folder, 'path');
  mkdirSync(bare);
  symlinkSync(join(folder, 'bin/node'), join(bare, 'node'));
  return {
    proves: 'an empty environment with Node alone on its path; this machine gives nobody a root of their own',
    command: (args) => ({ file: join(bare, 'node'), args: [...args], environment: { PATH: bare } }),
    pathOf: (name) => join(folder, name),
  };
}

/** Returns the unpacked native modules, which need the system's libraries as Node does. */
function nativeIn(folder: string): string[] {
  return globSync('**/*.{node,so,so.*}', { cwd: folder }).map((path) => join(folder, path));
}

/** Returns the shared libraries of a program, and their loader. */
function librariesOf(program: string): string[] {
  const said = execFileSync('ldd', [program], { encoding: 'utf8' });
  return [...said.matchAll(/(?:^|\s)(\/\S+) \(0x/gmu)].map(([, path = '']) => path);
}
