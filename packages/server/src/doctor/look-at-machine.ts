import type { StatsFs } from 'node:fs';
import { lstat, statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Config } from '../config.ts';
import { browserAgeDays, isOldBrowser } from '../platform/browser/browser-age.ts';
import type { BrowserState } from '../platform/browser/pool.ts';
import { errorCode } from '../platform/db/failures.ts';
import { greetMailServer } from '../platform/mail/mailer.ts';
import { makeFolder } from '../platform/make-folder.ts';
import { reasonOf } from '../platform/reason-of.ts';
import { temporaryFolder } from '../platform/temporary-folder.ts';
import { requireWritable } from '../platform/writable.ts';
import { type Finding, fine, odd, unseen, wrong } from './finding.ts';

/** Checks whether the mail server accepts our sign-in. No message is sent. */
export async function lookAtMail({ SMTP_URL, MAIL_FROM }: Config): Promise<Finding> {
  const about = 'mail';
  if (SMTP_URL === null)
    return odd(
      about,
      'Mail is only written to DATA_DIR/mail and not sent: passwords cannot be reset.',
      'Set SMTP_URL to a mail server, and MAIL_FROM to an address that it may send as.',
    );
  try {
    await greetMailServer(SMTP_URL);
    if (isOfThisMachine(MAIL_FROM))
      return odd(
        about,
        `The mail server lets the service in, but ${MAIL_FROM} is no address on the internet: mail from it is refused, or taken for spam.`,
        'Set MAIL_FROM to an address that the mail server may send as.',
      );
    return fine(
      about,
      `The mail server lets the service in. No mail was sent, so it may still refuse ${MAIL_FROM} as a sender.`,
    );
  } catch (error) {
    return wrong(
      about,
      `The mail server refuses the service: ${reasonOf(error)}.`,
      'Check SMTP_URL: host, port, smtps:// or smtp://, user and password (special characters percent-encoded).',
    );
  }
}

/** Returns whether a sender's host has no public name, as that of the default: `localhost`. */
function isOfThisMachine(sender: string): boolean {
  return /@(?:[^.>]+|[^>]*\.(?:local|localhost|internal|lan|invalid))>?$/iu.test(sender);
}

const GiB = 1024 ** 3;
const leastShare = 0.1;

/**
 * Checks whether DATA_DIR has room: for the database and the files, or for unpacked files. Before the first
 * start, which makes it, its nearest parent is examined.
 */
export async function lookAtDisk(config: Config): Promise<Finding> {
  const about = 'disk';
  const { DATA_DIR, MAX_VERSION_BYTES } = config;
  try {
    const { folder, bavail, bsize, blocks, files, ffree } = await nearestDisk(resolve(DATA_DIR));
    const free = bavail * bsize;
    const said = `${(free / GiB).toFixed(1)} GiB of ${((blocks * bsize) / GiB).toFixed(1)} are free at ${folder}.`;
    const tooFew = files > 0 && ffree / files < leastShare / 2;
    const unwritable = await unwritableTemporaryFolder(config);
    if (unwritable !== null)
      return wrong(
        about,
        `${said} Temporary files cannot be written: ${unwritable}.`,
        'Check DATA_DIR/tmp, its owner and the free space there: archives, backups to a bucket and compressed files are made in it.',
      );
    // Some file systems do not limit the number of files.
    if (tooFew)
      return wrong(about, `${said} It can hold ${ffree} more files.`, 'Move to a disk with more inodes.');
    if (free < 2 * MAX_VERSION_BYTES)
      return wrong(
        about,
        said,
        'There is no room for two of the largest versions: free some space, or mount a larger disk.',
      );
    return bavail / blocks < leastShare
      ? odd(about, said, 'Less than a tenth is free: free some space, or mount a larger disk.')
      : fine(about, said);
  } catch (error) {
    return wrong(about, `${DATA_DIR}: ${reasonOf(error)}.`, 'Check DATA_DIR and its owner.');
  }
}

/** Returns why no temporary file can be written; null if one can, or if the folder was not needed yet. */
async function unwritableTemporaryFolder(config: Config): Promise<string | null> {
  const folder = temporaryFolder(config);
  // It may be a link to another disk.
  const isThere = await lstat(folder).catch(() => null);
  if (isThere === null) return null;
  return makeFolder(folder, 0o700)
    .then(() => requireWritable(folder))
    .then(
      () => null,
      (error: unknown) => reasonOf(error),
    );
}

async function nearestDisk(folder: string): Promise<StatsFs & { readonly folder: string }> {
  try {
    return Object.assign(await statfs(folder), { folder });
  } catch (error) {
    const parent = dirname(folder);
    if (errorCode(error) !== 'ENOENT' || parent === folder) throw error;
    return nearestDisk(parent);
  }
}

/** Describes the state of the browser pool. `now` is in epoch milliseconds. */
export function lookAtBrowser(state: BrowserState | { readonly is: 'elsewhere' }, now: number): Finding {
  const about = 'browser';
  switch (state.is) {
    case 'elsewhere':
      return unseen(about, 'Separate workers have the browser: run the doctor there.');
    case 'starting':
      return unseen(about, 'The browser has not started yet: check again.');
    case 'off':
      return odd(
        about,
        `Pages are not opened: ${state.reason} There are no clips, and checks read files only.`,
        'Install Chromium (apt-get install chromium) and leave BROWSER at auto.',
      );
    case 'failing':
      return wrong(
        about,
        `Pages are not opened: ${state.reason} There are no clips, and versions stay unjudged.`,
        'Give the machine memory, or the browser what it lacks. Without any browser checks read files only: BROWSER=none.',
      );
    case 'ready':
      if (!state.sandbox || state.isRoot)
        return odd(
          about,
          `Chromium ${state.version} runs ${state.isRoot ? 'as root' : 'without a sandbox'}.`,
          'Run the service as its own user, on a machine that allows namespaces, with BROWSER_SANDBOX on.',
        );
      return isOldBrowser(state.version, now)
        ? odd(
            about,
            `Chromium ${state.version}, sandboxed, is out for about ${browserAgeDays(state.version, now)} days.`,
            'Install a newer one: bugs that were fixed since then can be used against this machine.',
          )
        : fine(about, `Chromium ${state.version}, sandboxed.`);
  }
}
