import { mkdir, readlink, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes a folder and its missing parents. Returns the first one that it made. Node's own `recursive` tries for ever
 * below /proc, and says of a read-only file system, and of a link that leads nowhere, that there is no such file.
 */
export async function makeFolder(folder: string, mode: number): Promise<string | undefined> {
  try {
    await mkdir(folder, { mode });
    return folder;
  } catch (error) {
    if (await isFolder(folder)) return undefined;
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw (await brokenLink(folder)) ?? error;
    if (code !== 'ENOENT' || dirname(folder) === folder) throw error;
  }
  const first = await makeFolder(dirname(folder), mode);
  await mkdir(folder, { mode }).catch(async (error: unknown) => {
    // Another process may have made it meanwhile.
    if (!(await isFolder(folder))) throw error;
  });
  return first ?? folder;
}

async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  return found?.isDirectory() === true;
}

async function brokenLink(path: string): Promise<Error | null> {
  const target = await readlink(path).catch(() => null);
  if (target === null) return null;
  const message = `${path} is a link to ${target}, where there is no folder (is its disk mounted?)`;
  return Object.assign(new Error(message), { code: 'ENOTDIR' });
}
