import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import process from 'node:process';
import type { Browser } from 'playwright-core';
import { quickPainting } from '../../server/src/platform/browser/flags.ts';
import { openBrowser } from '../../server/test/browser.ts';

const xvfb = '/usr/bin/Xvfb';

/** A browser with a real window, and the virtual screen that it runs on. */
export interface RealWindow {
  readonly browser: Browser;
  close(): Promise<void>;
}

/**
 * Opens a browser with a real window, whose focus comes from the window system, on a screen of its own. The
 * browser is headless if the machine has no Xvfb, or if npm's browser is asked for, which has no windows.
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
  // Xvfb writes its display number and keeps the pipe open, so the first line is all.
  const number = await new Promise<string>((resolve, reject) => {
    told.once('data', (bytes: Buffer) => resolve(bytes.toString().trim()));
    screen.once('exit', (code) => reject(new Error(`Xvfb ended with ${code}.`)));
  });
  process.once('exit', () => screen.kill());
  return { screen, display: `:${number}` };
}
