import { ErrorBatch } from './error-batch.ts';
import type { Play } from './play.ts';
import { createPlayedTime, type PlayedTime } from './played-time.ts';
import { tellClient } from './tell.ts';

/** What the page tells the service of how its frame runs. Nothing waits for it, and what fails of it is nobody's trouble. */
export interface Telling {
  /** Another load of the frame: what the one before has to tell is told. */
  loaded(): void;
  begun(ms: unknown, bytes: unknown): void;
  playing(isOn: boolean): void;
  failed(reports: unknown): void;
  stop(): void;
}

const everyMs = 60_000;
/** Errors come in bursts. */
const errorsAfterMs = 5_000;
/** A load that goes on failing is known by then. */
const mostErrorCalls = 60;

export function createTelling(play: Pick<Play, 'session' | 'headers'>): Telling {
  const stopping = new AbortController();
  const { signal } = stopping;
  const isSeen = () => document.visibilityState === 'visible';
  const begin = () => createPlayedTime(() => performance.now(), isSeen());
  let time = begin();
  let errors = new ErrorBatch();
  let errorCalls = 0;
  let errorTimer: ReturnType<typeof setTimeout> | undefined;

  // Nothing is waited for before a call: a page that goes away would not come to it.
  const tellPlay = (of: PlayedTime) => {
    const session = play.session();
    const part = session === null ? null : of.next();
    if (session === null || part === null) return;
    tellClient
      .reportPlay({ body: { session, ...part } }, { headers: play.headers() })
      // What did not arrive is sent again with the next: the service knows it by its number.
      .then(of.told, () => {});
  };
  const tellErrors = () => {
    clearTimeout(errorTimer);
    errorTimer = undefined;
    const session = play.session();
    const batch = errors.take();
    if (session === null || batch.length === 0 || errorCalls >= mostErrorCalls) return;
    errorCalls++;
    tellClient
      .reportErrors({ body: { session, errors: batch } }, { headers: play.headers() })
      .catch(() => {});
  };
  const tellAll = () => {
    tellPlay(time);
    tellErrors();
  };

  const timer = setInterval(() => tellPlay(time), everyMs);
  document.addEventListener(
    'visibilitychange',
    () => {
      time.seen(isSeen());
      // A phone may end a page that is hidden without another word.
      if (!isSeen()) tellAll();
    },
    { signal },
  );
  addEventListener('pagehide', tellAll, { signal });

  return {
    loaded() {
      tellAll();
      time = begin();
      errors = new ErrorBatch();
      errorCalls = 0;
    },
    begun: (ms, bytes) => time.begun(ms, bytes),
    playing: (isOn) => time.playing(isOn),
    failed(reports) {
      errors.add(reports);
      errorTimer ??= setTimeout(tellErrors, errorsAfterMs);
    },
    stop() {
      stopping.abort();
      clearInterval(timer);
      tellAll();
    },
  };
}
