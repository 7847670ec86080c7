import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { type BrowserProgram, npmBrowser, npmBrowserVersion } from './npm-browser.ts';

/** Where distributions put it. */
export const machinePaths = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** The machine's Chromium, or null where there is none. */
export function machineBrowserPath(): string | null {
  return machinePaths.find((path) => existsSync(path)) ?? null;
}

/** Where a browser came from. */
export type BrowserOrigin = 'machine' | 'npm' | 'path';

/** A browser that may be tried. */
export interface BrowserCandidate {
  readonly from: BrowserOrigin;
  /** `153.0.0`; null where nobody could say. */
  readonly version: string | null;
  /** Makes it ready: npm's has to be unpacked, which takes seconds the first time. */
  program(): Promise<BrowserProgram>;
}

const versionMs = 10_000;

/** What BROWSER (`auto`, `npm`, `none` or a path) stands for, the newest first. */
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

/** As the program itself says; null for one that does not. */
async function versionAt(path: string): Promise<string | null> {
  const { PATH = '' } = process.env;
  const said = await promisify(execFile)(path, ['--version'], { timeout: versionMs, env: { PATH } }).catch(
    () => null,
  );
  return /\d+(?:\.\d+)+/u.exec(said?.stdout ?? '')?.[0] ?? null;
}

/**
 * By Chromium's first number: the rest of npm's is not Chromium's. Among equals the order given, in which the machine's
 * comes before npm's: its distribution mends it without anyone here doing a thing.
 */
export function newestFirst<T extends Pick<BrowserCandidate, 'version'>>(candidates: readonly T[]): T[] {
  return candidates.toSorted((one, other) => majorOf(other.version) - majorOf(one.version));
}

/** 0 for an unknown version. */
export function majorOf(version: string | null): number {
  return Number.parseInt(version ?? '0', 10);
}
