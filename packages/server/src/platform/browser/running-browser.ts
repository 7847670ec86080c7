import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { FromThread, ThreadSettings, ToThread } from './thread/protocol.ts';
import type { Visit, VisitEnd, VisitRequest } from './visit.ts';

/** No browser could be started here. */
export class BrowserUnusable extends Error {}

const closeMs = 3_000;
/** The time of a visit beyond its own limits: for its context, its proxy and its picture. */
const overheadMs = 30_000;
const threadHeapMegabytes = 512;

/**
 * One browser, driven by a thread of its own. It makes one visit at a time, so that any crash is caused by
 * that page.
 */
export class RunningBrowser {
  /** The number of visits so far. */
  visits = 0;
  peakMemoryBytes = 0;
  /** Chromium's version. */
  readonly version: string;
  readonly #worker: Worker;
  readonly #pid: number;
  readonly #exited: Promise<void>;
  #isGone = false;
  #hasEndedProcesses = false;

  private constructor(worker: Worker, pid: number, version: string) {
    this.version = version;
    this.#worker = worker;
    this.#pid = pid;
    this.#exited = new Promise((resolve) => worker.once('exit', resolve)).then(() => {
      this.#isGone = true;
      this.#endProcesses();
    });
    worker.on('error', () => this.kill());
  }

  /** @throws `BrowserUnusable` if it does not start */
  static async start(settings: ThreadSettings): Promise<RunningBrowser> {
    const worker = new Worker(new URL('./thread/browser-thread.ts', import.meta.url), {
      workerData: settings,
      // The browser makes its profile in the temporary folder.
      env: { ...process.env, TMPDIR: settings.home.folder },
      resourceLimits: { maxOldGenerationSizeMb: threadHeapMegabytes },
    });
    const message = await firstMessage(worker);
    if (message.is === 'ready') return new RunningBrowser(worker, message.pid, message.version);
    await worker.terminate();
    throw new BrowserUnusable('error' in message ? message.error : message.is);
  }

  get isUsable(): boolean {
    return !this.#isGone;
  }

  /**
   * Makes a visit. If the browser crashes, takes too much memory or stops answering, the visit ends as
   * `crashed` or `stuck`, and the browser is killed. What was seen before a look in a frame stays.
   * @throws errors that the page did not cause, and the reason of an aborted signal
   */
  async visit(request: VisitRequest, signal: AbortSignal): Promise<Visit> {
    signal.throwIfAborted();
    this.visits++;
    const limit = new AbortController();
    const answer = Promise.withResolvers<Visit>();
    let alone: Visit | null = null;
    const end = (how: VisitEnd, detail: string) => {
      this.kill();
      answer.resolve(alone ?? cutShort(how, detail));
    };
    const onMessage = (message: FromThread) => {
      if (message.is === 'visited') {
        this.peakMemoryBytes = message.peakMemoryBytes;
        answer.resolve(message.visit);
      } else if (message.is === 'alone') alone = message.visit;
      else if (message.is === 'overMemory') end('crashed', 'it takes too much memory');
      else if (message.is === 'failed') answer.reject(new Error(message.error));
    };
    const onExit = () => answer.resolve(alone ?? cutShort('crashed', 'it brings the browser down'));
    const onAbort = () => {
      this.kill();
      if (alone === null) answer.reject(signal.reason);
      else answer.resolve(alone);
    };
    this.#worker.on('message', onMessage).once('exit', onExit);
    signal.addEventListener('abort', onAbort, { once: true });
    pause(allowedMs(request), null, { signal: limit.signal, ref: false }).then(
      () => end('stuck', 'it keeps the browser busy'),
      () => {},
    );
    this.#worker.postMessage({ visit: request } satisfies ToThread);
    try {
      return await answer.promise;
    } finally {
      limit.abort();
      this.#worker.off('message', onMessage).off('exit', onExit);
      signal.removeEventListener('abort', onAbort);
    }
  }

  /** Asks it to end, and kills it after a moment. */
  async close(): Promise<void> {
    if (this.#isGone) return;
    this.#worker.postMessage({ close: true } satisfies ToThread);
    await Promise.race([this.#exited, pause(closeMs, null, { ref: false })]);
    if (!this.#isGone) this.kill();
    await this.#exited;
  }

  /** Kills all of its processes at once. */
  kill(): void {
    this.#isGone = true;
    this.#endProcesses();
    void this.#worker.terminate();
  }

  #endProcesses(): void {
    if (this.#hasEndedProcesses) return;
    this.#hasEndedProcesses = true;
    try {
      // The browser leads a process group of its own. On Windows, killing it also ends its children.
      process.kill(process.platform === 'win32' ? this.#pid : -this.#pid, 'SIGKILL');
    } catch {
      // It has ended already.
    }
  }
}

function firstMessage(worker: Worker): Promise<FromThread> {
  return new Promise((resolve) => {
    const settle = (message: FromThread): void => {
      worker.off('message', settle).off('exit', end);
      resolve(message);
    };
    const fail = (error: unknown): void => settle({ is: 'unusable', error: String(error) });
    // A thread without an error ends with its browser, which Linux kills first when memory runs out.
    const end = (): void => fail('it was ended while it started, as when memory runs out');
    // The error listener stays: an error without a listener would end the process.
    worker.on('message', settle).on('error', fail).on('exit', end);
  });
}

function allowedMs({ again, ...request }: VisitRequest): number {
  const { loadMs, afterMs, pictureMs, watchMs } = request;
  const once = loadMs * 2 + afterMs + pictureMs + watchMs + overheadMs;
  return again ? once + allowedMs({ ...request, ...again }) : once;
}

function cutShort(end: VisitEnd, detail: string): Visit {
  return {
    end,
    detail,
    status: null,
    loaded: false,
    loadMs: 0,
    bytes: 0,
    consoleErrors: [],
    openedWindows: 0,
    failedRequests: [],
    asked: [],
    documents: [],
    documentsCut: false,
    databases: [],
    picture: null,
  };
}
