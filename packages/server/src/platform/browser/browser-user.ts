import { execFile } from 'node:child_process';
import { chown, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';

/**
 * The user id of the browser. It belongs to no account: it is between the ids that systemd gives to people
 * and those that it gives to services, so nothing else on the machine belongs to it.
 */
export const browserUid = 61_080;

/** The home folder of a browser, and the user that it runs as. */
export interface BrowserHome {
  /** A folder for the browser's user alone: its home, its profile, its temporary files. */
  readonly folder: string;
  /**
   * The user id that a service of root starts the browser with; null if it runs as the same user as the
   * service.
   */
  readonly uid: number | null;
  remove(): Promise<void>;
}

/** No browser may be started here. The message says why, and what would help. */
export class NoBrowserUser extends Error {}

/**
 * Makes the home of a browser.
 * @param asService the browser runs as the same user as the service, even as root. Otherwise root's browser
 * gets a user of its own.
 * @throws `NoBrowserUser` if root cannot become that user
 */
export async function makeBrowserHome({ asService = false } = {}): Promise<BrowserHome> {
  const uid = process.getuid?.() === 0 && !asService ? browserUid : null;
  if (uid !== null) await tryToBecome(uid);
  const folder = await mkdtemp(join(await temporaryFolder(uid), 'spaceport-browser-'));
  if (uid !== null) await chown(folder, uid, uid);
  return { folder, uid, remove: () => rm(folder, { recursive: true, force: true }) };
}

async function tryToBecome(uid: number): Promise<void> {
  if (process.platform !== 'linux') {
    throw new NoBrowserUser('The service runs as root, which is no user for a browser: run it as another.');
  }
  const become = [`--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', '--inh-caps=-all', '--', 'true'];
  try {
    await promisify(execFile)('setpriv', become);
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    const why = isMissing ? 'setpriv (util-linux) is not there' : `user ${uid} cannot be had here`;
    throw new NoBrowserUser(
      `The service runs as root, and ${why}, so the browser cannot run as another user: run the service as one.`,
    );
  }
}

/** Returns the temporary folder: `/tmp` if the browser's user cannot reach ours. */
async function temporaryFolder(uid: number | null): Promise<string> {
  return uid === null || (await isOpenToAll(tmpdir())) ? tmpdir() : '/tmp';
}

/** Returns whether any user can reach the contents of the folder. */
export async function isOpenToAll(folder: string): Promise<boolean> {
  const { mode } = await stat(folder);
  if ((mode & 0o001) === 0) return false;
  const parent = dirname(folder);
  return parent === folder || isOpenToAll(parent);
}
