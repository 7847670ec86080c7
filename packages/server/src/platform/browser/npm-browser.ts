import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { lstat, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const packageFolder = join(dirname(fileURLToPath(import.meta.resolve('@sparticuz/chromium'))), '..', '..');

/** A Chromium that may be started. */
export interface BrowserProgram {
  readonly path: string;
  /** On top of the few variables that every browser gets: where its libraries and fonts are. */
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * The browser that the package carries compressed, unpacked once for a checkout. The package itself would unpack it
 * into the machine's temporary folder under a fixed name, where another process may be halfway through writing it.
 */
export async function npmBrowser(): Promise<BrowserProgram> {
  const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as {
    version: string;
  };
  const folder = join(await cacheFolder(), `chromium-${version}`);
  if (!existsSync(folder)) await unpackTo(folder);
  const environment = {
    LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'),
    FONTCONFIG_PATH: join(folder, 'fonts'),
  };
  return { path: join(folder, 'chromium'), environment };
}

/** Ours alone: in the checkout, or beside other temporary files when someone else installed the checkout. */
async function cacheFolder(): Promise<string> {
  const user = process.getuid?.() ?? 0;
  const inCheckout = fileURLToPath(new URL('../../../../../node_modules/.cache', import.meta.url));
  for (const folder of [inCheckout, join(tmpdir(), `spaceport-cache-${user}`)]) {
    const made = await mkdir(folder, { recursive: true, mode: 0o700 }).then(
      () => true,
      () => false,
    );
    // The name in the temporary folder can be guessed, so someone may have made it for us, or linked it.
    if (made && (await isOurs(folder, user))) return folder;
  }
  throw new Error('There is no folder to unpack the browser into.');
}

async function isOurs(folder: string, user: number): Promise<boolean> {
  const found = await lstat(folder);
  return found.isDirectory() && found.uid === user;
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
  try {
    await rename(unpacked, folder);
  } catch (error) {
    await rm(unpacked, { recursive: true });
    // Someone else was faster.
    if (!existsSync(folder)) throw error;
  }
}
