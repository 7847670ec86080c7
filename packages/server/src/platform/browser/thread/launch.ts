import { fileURLToPath } from 'node:url';
import { type Browser, type CDPSession, chromium } from 'playwright-core';
import { lowerPriority } from '../../low-priority.ts';
import { browserEnvironment, browserFlags, unwantedDefaults } from '../flags.ts';
import type { ThreadSettings } from './protocol.ts';

export interface LaunchedBrowser {
  readonly browser: Browser;
  /** The session for the browser as a whole. */
  readonly session: CDPSession;
  /** Chromium's version, such as `153.0.8001.12`. */
  readonly version: string;
  /** The browser's process, which leads a process group of its own. */
  readonly pid: number;
}

const startMs = 20_000;
const startAsUser = fileURLToPath(new URL('../as-user.sh', import.meta.url));

/** Starts a headless Chromium over a pipe. It ends when the pipe closes, however this process ends. */
export async function launchBrowser({
  program,
  home,
  sandbox,
  trustedKey,
}: Pick<ThreadSettings, 'program' | 'home' | 'sandbox' | 'trustedKey'>): Promise<LaunchedBrowser> {
  const asUser: Record<string, string> =
    home.uid === null ? {} : { BROWSER_PROGRAM: program.path, BROWSER_UID: String(home.uid) };
  const browser = await chromium.launch({
    executablePath: home.uid === null ? program.path : startAsUser,
    env: browserEnvironment(home.folder, { ...program.environment, ...asUser }),
    headless: true,
    chromiumSandbox: sandbox,
    ignoreDefaultArgs: unwantedDefaults,
    args: browserFlags(trustedKey),
    timeout: startMs,
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  for (const { id } of processInfo) lowerPriority(id);
  const pid = processInfo.find(({ type }) => type === 'browser')?.id;
  if (pid === undefined) throw new Error('the browser does not name its process');
  return { browser, session, version: browser.version(), pid };
}
