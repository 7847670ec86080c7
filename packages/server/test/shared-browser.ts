import type { Browser } from 'playwright-core';

/** How long the browser waits for the next file of the process before it ends. */
const lingerMs = 300;

interface Shared {
  readonly browser: Promise<Browser>;
  users: number;
  ending?: NodeJS.Timeout;
}

const running = new Map<string, Shared>();

/**
 * Shares one browser between the test files of a process, which run one after the other, because starting a
 * browser takes as long as many tests. Each file closes it as if it were its own; the last close ends
 * everything in it.
 */
export function shareBrowser(name: string, launch: () => Promise<Browser>): Promise<Browser> {
  const known = running.get(name);
  if (known) {
    clearTimeout(known.ending);
    known.users++;
    return known.browser;
  }
  const forget = () => {
    if (running.get(name) === shared) running.delete(name);
  };
  const shared: Shared = {
    users: 1,
    browser: launch().then((browser) => {
      const end = browser.close.bind(browser);
      browser.once('disconnected', forget);
      browser.close = async () => {
        shared.users--;
        if (shared.users > 0) return;
        await Promise.all(browser.contexts().map((context) => context.close()));
        shared.ending = setTimeout(() => {
          forget();
          void end();
        }, lingerMs);
      };
      return browser;
    }),
  };
  running.set(name, shared);
  shared.browser.catch(forget);
  return shared.browser;
}
