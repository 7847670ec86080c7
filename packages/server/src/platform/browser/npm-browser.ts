import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, lstat, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { isOpenToAll } from './browser-user.ts';

/** A Chromium that may be started. */
export interface BrowserProgram {
  readonly path: string;
  /** On top of the few variables that every browser gets: where its libraries and fonts are. */
  readonly environment: Readonly<Record<string, string>>;
}

/** The version of the package, which is that of its Chromium in its first number; null where it is not installed. */
export function npmBrowserVersion(): string | null {
  // A build for Linux on two processors, that may be left out of an installation.
  if (process.platform !== 'linux' || (process.arch !== 'x64' && process.arch !== 'arm64')) return null;
  try {
    let folder = dirname(fileURLToPath(import.meta.resolve('@sparticuz/chromium')));
    while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
    return version;
  } catch {
    return null;
  }
}

/**
 * The browser that the package carries compressed, unpacked once for a checkout. The package itself would unpack it
 * into the machine's temporary folder under a fixed name, where another process may be halfway through writing it.
 */
export async function npmBrowser(): Promise<BrowserProgram> {
  const version = npmBrowserVersion();
  if (version === null) throw new Error('npm brought no browser.');
  const folder = join(await cacheFolder(), `browser-${version}`);
  if (!existsSync(folder)) await unpackTo(folder);
  const environment = {
    LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'),
    FONTCONFIG_PATH: join(folder, 'fonts'),
  };
  return { path: join(folder, 'chromium'), environment };
}

/**
 * Written by us alone: in the checkout, or beside other temporary files when someone else installed the checkout, or
 * when root did at a place that the browser's own user does not get to.
 */
async function cacheFolder(): Promise<string> {
  const user = process.getuid?.() ?? 0;
  const isRoot = process.getuid?.() === 0;
  const inCheckout = fileURLToPath(new URL('../../../../../node_modules/.cache', import.meta.url));
  const beside = (folder: string) => join(folder, `spaceport-cache-${user}`);
  for (const folder of [inCheckout, beside(tmpdir()), ...(isRoot ? [beside('/tmp')] : [])]) {
    const made = await mkdir(folder, { recursive: true, mode: isRoot ? 0o755 : 0o700 }).then(
      () => true,
      () => false,
    );
    // The name in the temporary folder can be guessed, so someone may have made it for us, or linked it.
    if (made && (await isOurs(folder, user)) && (!isRoot || (await isOpenToAll(folder)))) return folder;
  }
  throw new Error('There is no folder to unpack the browser into.');
}

async function isOurs(folder: string, user: number): Promise<boolean> {
  const found = await lstat(folder);
  return found.isDirectory() && found.uid === user;
}

/**
 * The fonts that came along, and the machine's. The package's own list names neither place, and a Chromium that finds no
 * font at all goes down with the first text field it draws.
 */
function fontsAt(folder: string): string {
  const text = (path: string) => path.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${text(folder)}</dir>
  <dir>/usr/share/fonts</dir>
  <dir>/usr/local/share/fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`;
}

/** Unpacks beside the folder and renames: whoever finds it finds all of it. */
async function unpackTo(folder: string): Promise<void> {
  const unpacked = await mkdtemp(`${folder}-`);
  const unpack = "(await import('@sparticuz/chromium')).default.executablePath()";
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', unpack], {
    cwd: dirname(fileURLToPath(import.meta.url)),
    // Told that it runs on Lambda, it also unpacks the few libraries that a bare machine lacks.
    env: { ...process.env, TMPDIR: unpacked, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x' },
  });
  await writeFile(join(unpacked, 'fonts', 'fonts.conf'), fontsAt(join(folder, 'fonts')));
  // Nothing in it is secret, and the browser may run as a user of its own.
  for (const name of ['', 'chromium']) await chmod(join(unpacked, name), 0o755);
  try {
    await rename(unpacked, folder);
  } catch (error) {
    await rm(unpacked, { recursive: true });
    // Someone else was faster.
    if (!existsSync(folder)) throw error;
  }
}
