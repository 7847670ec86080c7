import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core';
import { machineBrowserPath, machinePaths } from '../src/platform/browser/find-browser.ts';
import { quickPainting, softwareGraphics } from '../src/platform/browser/flags.ts';
import { npmBrowser } from '../src/platform/browser/npm-browser.ts';
import { shareBrowser } from './shared-browser.ts';
import './one-engine.ts';

/** Every host that a service under test serves is this machine; no other can be reached. */
const loopbackOnly =
  '--host-resolver-rules=MAP localhost 127.0.0.1, MAP *.localhost 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1';

/**
 * Opens a headless browser: the one that TEST_BROWSER names (a path, `machine`, or `npm` for the one that npm
 * brought), else BROWSER's if that is a path, else the machine's, else npm's. It ends with this process. The files of a process
 * share one, but for those that want other flags or a window.
 *
 * @param display an X display, to have a window there
 */
export async function openBrowser(
  which = process.env.TEST_BROWSER,
  flags: readonly string[] = quickPainting,
  display?: string,
): Promise<Browser> {
  const launch = async () => chromium.launch(await launchOptions(which, flags, display));
  return flags === quickPainting && display === undefined ? shareBrowser(which ?? '', launch) : launch();
}

/** A browser with a profile that gives frames of other sites a storage of their own, as `openBrowser`'s does not. */
export async function openProfile(
  options: BrowserContextOptions = {},
  flags: readonly string[] = quickPainting,
): Promise<BrowserContext> {
  const folder = await mkdtemp(join(tmpdir(), 'spaceport-test-'));
  const context = await openProfileIn(folder, { ...options, frames: 'kept' }, flags);
  context.once('close', () => void rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return context;
}

interface ProfileOptions extends BrowserContextOptions {
  /** What the browser gives frames of other sites: a storage, or none, as Chromium does unless it is told otherwise. */
  readonly frames: 'kept' | 'refused';
}

/** The browser of a profile in this folder, which is there when it is opened again. npm's browser refuses frames nothing. */
export async function openProfileIn(
  folder: string,
  { frames, ...options }: ProfileOptions,
  flags: readonly string[] = quickPainting,
): Promise<BrowserContext> {
  const isRefused = frames === 'refused';
  const preferences = {
    profile: { cookie_controls_mode: isRefused ? 1 : 0, block_third_party_cookies: isRefused },
  };
  await mkdir(join(folder, 'Default'), { recursive: true });
  await writeFile(join(folder, 'Default/Preferences'), JSON.stringify(preferences));
  const launched = await launchOptions(process.env.TEST_BROWSER, flags);
  return chromium.launchPersistentContext(folder, { ...options, ...launched });
}

async function launchOptions(which: string | undefined, flags: readonly string[], display?: string) {
  const { path, environment } = await find(which);
  return {
    executablePath: path,
    env: { ...process.env, ...environment, ...(display === undefined ? {} : { DISPLAY: display }) },
    headless: display === undefined,
    // The pages are the tests' own, and the sandbox neither runs as root nor in most containers.
    chromiumSandbox: false,
    args: [...softwareGraphics, loopbackOnly, ...flags],
  };
}

/** BROWSER for a service under test that opens pages: as `openBrowser` chooses, as far as a setting can say it. */
export function browserSetting(): string {
  const { TEST_BROWSER: which = '', BROWSER: configured = '' } = process.env;
  return [which, configured].find((one) => one === 'npm' || one.startsWith('/')) ?? 'auto';
}

async function find(
  which: string | undefined,
): Promise<{ path: string; environment?: Record<string, string> }> {
  if (which === 'npm') return npmBrowser();
  const machine = machineBrowserPath();
  if (which === 'machine') {
    if (machine === null) throw new Error(`This machine has no Chromium at ${machinePaths.join(', ')}.`);
    return { path: machine };
  }
  if (which) return { path: which };
  const { BROWSER: configured = '' } = process.env;
  if (configured.startsWith('/')) return { path: configured };
  return machine === null ? npmBrowser() : { path: machine };
}
