import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { type Darkroom, openDarkroom } from './darkroom.ts';
import { type LaunchedBrowser, launchBrowser } from './launch.ts';
import { watchProcesses } from './process-watch.ts';
import type { FromThread, ThreadSettings, ToThread } from './protocol.ts';
import { visitPage } from './visit-page.ts';

/**
 * The thread that drives one browser. A page can make it say more than anyone can read (a loop that logs): that
 * keeps this thread busy, not the one that answers requests, and it is ended from there when it is late.
 */
const settings = workerData as ThreadSettings;
/** What a browser that does not start printed stands behind its long command line. */
const maxErrorLength = 16_000;
/** A lost connection is noticed this much later than what it breaks. */
const goneMs = 200;

async function start(): Promise<void> {
  let launched: LaunchedBrowser;
  let darkroom: Darkroom;
  try {
    launched = await launchBrowser(settings);
    darkroom = await openDarkroom(launched.browser);
  } catch (error) {
    say({ is: 'unusable', error: textOf(error) });
    parentPort?.close();
    return;
  }
  const { browser, session, pid, version } = launched;
  const processes = watchProcesses(session, settings.maxMemoryBytes, () => say({ is: 'overMemory' }));
  browser.on('disconnected', () => {
    processes.stop();
    parentPort?.close();
  });
  parentPort?.on('message', (message: ToThread) => {
    if ('close' in message) {
      void browser.close().catch(() => {});
      return;
    }
    visitPage({ browser, darkroom, ...settings }, message.visit).then(
      (visit) => say({ is: 'visited', visit, peakMemoryBytes: processes.peakBytes() }),
      async (error: unknown) => {
        await pause(goneMs);
        // A browser that went down under its page says so by ending this thread.
        if (browser.isConnected()) say({ is: 'failed', error: textOf(error) });
      },
    );
  });
  say({ is: 'ready', pid, version });
}

function say(message: FromThread): void {
  parentPort?.postMessage(message);
}

function textOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, maxErrorLength);
}

await start();
