import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, globSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';

/** Where a program finds what was put there, and as little else as this machine lets us hide. */
export interface EmptyRoot {
  /** What a program there does not see. */
  readonly proves: string;
  /** How `node` is started in it, with arguments that name files as they are called there. */
  command(args: readonly string[]): { file: string; args: string[]; environment: Record<string, string> };
  /** What a file below `folder` is called there. */
  pathOf(name: string): string;
}

/** What a kernel gives to every program. */
const given = ['/proc', '/dev/null', '/dev/urandom'];
const enter = `set -e
for each in ${given.join(' ')}; do mount --rbind "$each" "$ROOT$each"; done
exec chroot "$ROOT" /bin/node "$@"`;
/** A namespace of its own needs no root, where the machine lets others have one. */
const unshare = ['--user', '--map-root-user', '--mount', 'sh', '-c', enter, 'sh'];

/**
 * Makes the folder of an unpacked archive a root with Node in it, the system's libraries and nothing else. Where the machine lets nobody have a root of their
 * own, Node is started in the folder with an empty environment; then it could read what else is on the machine.
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

/** Native code that was unpacked: it stands on the system's libraries, as Node does. */
function nativeIn(folder: string): string[] {
  return globSync('**/*.{node,so,so.*}', { cwd: folder }).map((path) => join(folder, path));
}

/** The shared libraries of a program, and what loads them. */
function librariesOf(program: string): string[] {
  const said = execFileSync('ldd', [program], { encoding: 'utf8' });
  return [...said.matchAll(/(?:^|\s)(\/\S+) \(0x/gmu)].map(([, path = '']) => path);
}
