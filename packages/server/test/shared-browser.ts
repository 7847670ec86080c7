import type { Browser } from 'playwright-core';

/** So long it waits for the next file of the process before it ends. */
const lingerMs = 300;

interface Shared {
  readonly browser: Promise<Browser>;
  users: number;
  ending?: NodeJS.Timeout;
}

const running = new Map<string, Shared>();

/**
 * One browser for the files of a process, which come one after the other: to start one takes as long as many a test. Each
 * closes it as if it were its own; what is still open in it is closed with the last.
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
