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

/** Resolves every host of a service under test to this machine; other hosts are not reachable. */
const loopbackOnly =
  '--host-resolver-rules=MAP localhost 127.0.0.1, MAP *.localhost 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1';

/**
 * One process for all pages of a site in a window, and no process that waits for a page: Chromium holds one ready
 * beside each window, a sixth of what it costs to open the window.
 */
const fewProcesses = '--renderer-process-limit=1';

/**
 * Opens a headless browser: the one in TEST_BROWSER (a path, `machine`, or `npm`), else in BROWSER if that is
 * a path, else the machine's, else npm's. It ends with this process. The test files of a process share one
 * browser, unless they need other flags or a window.
 *
 * @param display an X display for a browser with a window
 */
export async function openBrowser(
  which = process.env.TEST_BROWSER,
  flags: readonly string[] = quickPainting,
  display?: string,
): Promise<Browser> {
  const launch = async () => chromium.launch(await launchOptions(which, flags, display));
  return flags === quickPainting && display === undefined ? shareBrowser(which ?? '', launch) : launch();
}

/** Opens a browser with a profile that gives frames of other sites storage, unlike `openBrowser`. */
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
  /** Whether frames of other sites get storage. Chromium refuses it by default. */
  readonly frames: 'kept' | 'refused';
}

/** Opens a browser with a persistent profile in this folder. npm's browser never refuses frames storage. */
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
    // Chromium may end with a trap where LANG is there and empty.
    env: {
      ...process.env,
      LANG: process.env.LANG || 'C.UTF-8',
      ...environment,
      ...(display === undefined ? {} : { DISPLAY: display }),
    },
    headless: display === undefined,
    // The pages are the tests' own, and the sandbox does not run as root or in most containers.
    chromiumSandbox: false,
    args: [...softwareGraphics, loopbackOnly, fewProcesses, ...flags],
  };
}

/**
 * Returns the setting BROWSER for a service under test, with the same choice as `openBrowser` as far as
 * possible.
 */
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
