import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { type BrowserProgram, npmBrowser, npmBrowserVersion } from './npm-browser.ts';

/** The paths at which distributions install Chromium. */
export const machinePaths = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** Returns the path of the machine's Chromium, or null. */
export function machineBrowserPath(): string | null {
  return machinePaths.find((path) => existsSync(path)) ?? null;
}

/** The origin of a browser: installed on the machine, from npm, or the configured path. */
export type BrowserOrigin = 'machine' | 'npm' | 'path';

/** A browser that may be tried. */
export interface BrowserCandidate {
  readonly from: BrowserOrigin;
  /** Such as `153.0.0`; null if unknown. */
  readonly version: string | null;
  /** Makes the program ready. npm's has to be unpacked, which takes seconds the first time. */
  program(): Promise<BrowserProgram>;
}

const versionMs = 10_000;

/** Returns the browsers that BROWSER (`auto`, `npm`, `none` or a path) allows, the newest first. */
export async function browserCandidates(setting: string): Promise<BrowserCandidate[]> {
  if (setting === 'none') return [];
  const ofNpm: BrowserCandidate = { from: 'npm', version: npmBrowserVersion(), program: npmBrowser };
  if (setting === 'npm') return [ofNpm];
  if (setting !== 'auto') return [await at('path', setting)];
  const machine = machineBrowserPath();
  return newestFirst([
    ...(machine === null ? [] : [await at('machine', machine)]),
    ...(ofNpm.version === null ? [] : [ofNpm]),
  ]);
}

async function at(from: BrowserOrigin, path: string): Promise<BrowserCandidate> {
  return { from, version: await versionAt(path), program: async () => ({ path, environment: {} }) };
}

/** Returns the version that the program itself prints; null if it prints none. */
async function versionAt(path: string): Promise<string | null> {
  const { PATH = '' } = process.env;
  const said = await promisify(execFile)(path, ['--version'], { timeout: versionMs, env: { PATH } }).catch(
    () => null,
  );
  return /\d+(?:\.\d+)+/u.exec(said?.stdout ?? '')?.[0] ?? null;
}

/**
 * Sorts by the major version: the rest of npm's version is not Chromium's. Equal ones keep their order, in
 * which the machine's browser comes before npm's, because its distribution updates it by itself.
 */
export function newestFirst<T extends Pick<BrowserCandidate, 'version'>>(candidates: readonly T[]): T[] {
  return candidates.toSorted((one, other) => majorOf(other.version) - majorOf(one.version));
}

/** Returns the major version; 0 if it is unknown. */
export function majorOf(version: string | null): number {
  return Number.parseInt(version ?? '0', 10);
}
