import { type Browser, type CDPSession, chromium } from 'playwright-core';
import { browserEnvironment, browserFlags, canSandbox, unwantedDefaults } from '../flags.ts';
import type { BrowserProgram } from '../npm-browser.ts';

export interface LaunchedBrowser {
  readonly browser: Browser;
  /** Speaks to the browser as a whole. */
  readonly session: CDPSession;
  /** Leads a process group of its own. */
  readonly pid: number;
}

const startMs = 20_000;

/** Starts a headless Chromium over a pipe: it ends when the pipe does, however this process ends. */
export async function launchBrowser(
  program: BrowserProgram,
  trustedKey: string | null,
): Promise<LaunchedBrowser> {
  const browser = await chromium.launch({
    executablePath: program.path,
    env: browserEnvironment(program.environment),
    headless: true,
    chromiumSandbox: canSandbox(),
    ignoreDefaultArgs: unwantedDefaults,
    args: browserFlags(trustedKey),
    timeout: startMs,
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const pid = processInfo.find(({ type }) => type === 'browser')?.id;
  if (pid === undefined) throw new Error('the browser does not name its process');
  return { browser, session, pid };
}
