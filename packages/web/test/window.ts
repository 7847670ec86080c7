import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import process from 'node:process';
import type { Browser } from 'playwright-core';
import { quickPainting } from '../../server/src/platform/browser/flags.ts';
import { openBrowser } from '../../server/test/browser.ts';

const xvfb = '/usr/bin/Xvfb';

/** A browser, and the screen that it was given. */
export interface RealWindow {
  readonly browser: Browser;
  close(): Promise<void>;
}

/**
 * A browser with a real window, where focus is the window system's, on a screen of its own; headless where the machine
 * has no Xvfb, or the browser asked for is npm's, which has no windows.
 */
export async function openWindow(): Promise<RealWindow> {
  if (!existsSync(xvfb) || process.env.TEST_BROWSER === 'npm') {
    const browser = await openBrowser();
    return { browser, close: () => browser.close() };
  }
  const { screen, display } = await openScreen();
  const flags = [...quickPainting, '--window-position=0,0', '--window-size=1400,1000'];
  const browser = await openBrowser(undefined, flags, display);
  return {
    browser,
    async close() {
      await browser.close();
      screen.kill();
    },
  };
}

async function openScreen(): Promise<{ screen: ChildProcess; display: string }> {
  const screen = spawn(xvfb, ['-displayfd', '3', '-screen', '0', '1400x1000x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const told = screen.stdio[3];
  if (!told || !('on' in told)) throw new Error('Xvfb has nothing to tell its display by.');
  // It names its display and closes nothing: the first line is all.
  const number = await new Promise<string>((resolve, reject) => {
    told.once('data', (bytes: Buffer) => resolve(bytes.toString().trim()));
    screen.once('exit', (code) => reject(new Error(`Xvfb ended with ${code}.`)));
  });
  process.once('exit', () => screen.kill());
  return { screen, display: `:${number}` };
}
