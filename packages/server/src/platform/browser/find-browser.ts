import { existsSync } from 'node:fs';
import { type BrowserProgram, npmBrowser } from './npm-browser.ts';

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

/**
 * What BROWSER (`auto`, `npm`, `none` or a path) stands for, best first, each made ready when its turn comes: npm's has to
 * be unpacked, which takes seconds the first time.
 */
export function browserPrograms(setting: string): (() => Promise<BrowserProgram>)[] {
  if (setting === 'none') return [];
  const at = (path: string) => async () => ({ path, environment: {} });
  if (setting === 'npm') return [npmBrowser];
  if (setting !== 'auto') return [at(setting)];
  const machine = machineBrowserPath();
  return [...(machine === null ? [] : [at(machine)]), ...(hasNpmBrowser() ? [npmBrowser] : [])];
}

/** The package is a build for Linux on two processors, and may be left out of an installation. */
function hasNpmBrowser(): boolean {
  if (process.platform !== 'linux' || (process.arch !== 'x64' && process.arch !== 'arm64')) return false;
  try {
    import.meta.resolve('@sparticuz/chromium');
    return true;
  } catch {
    return false;
  }
}
