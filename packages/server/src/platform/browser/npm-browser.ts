import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, lstat, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { isOpenToAll } from './browser-user.ts';

/** A Chromium that may be started. */
export interface BrowserProgram {
  readonly path: string;
  /** Variables beside those that every browser gets: the places of its libraries and fonts. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Returns the version of the package, whose first number is Chromium's; null if it is not installed. */
export function npmBrowserVersion(): string | null {
  // The package is built for Linux on two processors, and may be left out of an installation.
  if (process.platform !== 'linux' || (process.arch !== 'x64' && process.arch !== 'arm64')) return null;
  try {
    const found = findPackageJSON('@sparticuz/chromium', import.meta.url);
    if (found === undefined) return null;
    const { version } = JSON.parse(readFileSync(found, 'utf8')) as { version: string };
    return version;
  } catch {
    return null;
  }
}

/**
 * Returns the browser of the package, which is unpacked once for a checkout. The package itself would unpack
 * it into the temporary folder under a fixed name, where another process may be writing it at the same time.
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
 * Returns a folder that only we can write to: in the checkout, or in the temporary folder if another user
 * installed the checkout, or if root did so in a place that the browser's user cannot reach.
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
    // The name in the temporary folder can be guessed, so another user may have made or linked it.
    if (made && (await isOurs(folder, user)) && (!isRoot || (await isOpenToAll(folder)))) return folder;
  }
  throw new Error('There is no folder to unpack the browser into.');
}

async function isOurs(folder: string, user: number): Promise<boolean> {
  const found = await lstat(folder);
  return found.isDirectory() && found.uid === user;
}

/**
 * Returns a configuration with the fonts of the package and of the machine. The package's own list has
 * neither place, and a Chromium without any font crashes at the first text field that it draws.
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

/**
 * Unpacks beside the folder and renames it, so that the folder is always complete. A failure leaves nothing: the
 * program has 200 MB, and a pool tries again every few minutes.
 */
export async function unpackTo(folder: string): Promise<void> {
  const unpacked = await mkdtemp(`${folder}-`);
  const unpack = "(await import('@sparticuz/chromium')).default.executablePath()";
  try {
    await promisify(execFile)(process.execPath, ['--input-type=module', '-e', unpack], {
      cwd: dirname(fileURLToPath(import.meta.url)),
      // With this variable of Lambda, the package also unpacks the few libraries that a bare machine lacks.
      env: { ...process.env, TMPDIR: unpacked, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x' },
    });
    await writeFile(join(unpacked, 'fonts', 'fonts.conf'), fontsAt(join(folder, 'fonts')));
    // The folder holds nothing secret, and the browser may run as another user.
    for (const name of ['', 'chromium']) await chmod(join(unpacked, name), 0o755);
    await rename(unpacked, folder);
  } catch (error) {
    await rm(unpacked, { recursive: true, force: true });
    // Another process was faster.
    if (!existsSync(folder)) throw error;
  }
}
