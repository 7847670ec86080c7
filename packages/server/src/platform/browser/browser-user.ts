import { execFile } from 'node:child_process';
import { chown, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';

/**
 * Of no account: between the numbers that systemd gives to people and those that it gives to services, so nothing else
 * on the machine belongs to it.
 */
export const browserUid = 61_080;

/** Where a browser lives, and as whom it runs. */
export interface BrowserHome {
  /** Of the browser's user, and nobody else's: its home, its profile, its temporary files. */
  readonly folder: string;
  /** The user that a service of root starts it as; null where it runs as the service does. */
  readonly uid: number | null;
  remove(): Promise<void>;
}

/** No browser may be started here; the message says why, and what would help. */
export class NoBrowserUser extends Error {}

/**
 * Makes the home.
 * @param asService the browser runs as the service does, whoever that is. Otherwise root's browser has a user of its own;
 * throws `NoBrowserUser` where root has no way to become that user.
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

/** The machine's own where ours is closed to the browser's user. */
async function temporaryFolder(uid: number | null): Promise<string> {
  return uid === null || (await isOpenToAll(tmpdir())) ? tmpdir() : '/tmp';
}

/** Whether any user gets as far as what lies in the folder. */
export async function isOpenToAll(folder: string): Promise<boolean> {
  const { mode } = await stat(folder);
  if ((mode & 0o001) === 0) return false;
  const parent = dirname(folder);
  return parent === folder || isOpenToAll(parent);
}
