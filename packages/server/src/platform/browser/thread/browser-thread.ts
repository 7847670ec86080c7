import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { Visit } from '../visit.ts';
import { type Darkroom, openDarkroom } from './darkroom.ts';
import { type LaunchedBrowser, launchBrowser } from './launch.ts';
import { watchProcesses } from './process-watch.ts';
import type { FromThread, ThreadSettings, ToThread } from './protocol.ts';
import { visitTwice } from './visit-twice.ts';

/**
 * The thread that drives one browser. A page can produce more messages than can be read (a loop that logs).
 * That keeps this thread busy and not the one that answers requests, which ends this thread when it is late.
 */
const settings = workerData as ThreadSettings;
/** The longest error message: the output of a browser that fails to start follows its long command line. */
const maxErrorLength = 16_000;
/** With a page that takes less than this share of the allowed memory, there is room for it twice. */
const roomyShare = 1 / 3;
/** How much later than the failed call a lost connection is noticed. */
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
    const hasRoom = () => processes.lastBytes() < settings.maxMemoryBytes * roomyShare;
    const onAlone = (visit: Visit) => say({ is: 'alone', visit });
    visitTwice({ browser, darkroom, hasRoom, ...settings }, message.visit, onAlone).then(
      (visit) => say({ is: 'visited', visit, peakMemoryBytes: processes.peakBytes() }),
      async (error: unknown) => {
        await pause(goneMs);
        // If the browser crashed under its page, the end of this thread reports that.
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

void start();
