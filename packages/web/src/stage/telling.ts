import { reportErrors, reportPlay } from '@spaceport/contract/play-reports';
import { ErrorBatch } from './error-batch.ts';
import { keepaliveClient } from './keepalive-client.ts';
import type { Play } from './play.ts';
import { createPlayedTime, type PlayedTime } from './played-time.ts';

/**
 * The page's reports to the service about how its frame runs. Nothing waits for them, and failures are
 * ignored.
 */
export interface Telling {
  /** The frame has loaded again: sends the rest of the previous load's report. */
  loaded(): void;
  begun(ms: unknown, bytes: unknown): void;
  playing(isOn: boolean): void;
  failed(reports: unknown): void;
  stop(): void;
}

const everyMs = 60_000;
/** Errors come in bursts, so they are collected for this long. */
const errorsAfterMs = 5_000;
/** Most error reports of one load. */
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

  // The call is made without waiting for anything, because the page may be closing.
  const tellPlay = (of: PlayedTime) => {
    const session = play.session();
    const part = session === null ? null : of.next();
    if (session === null || part === null) return;
    keepaliveClient
      .call(reportPlay, { body: { session, ...part } }, { headers: play.headers() })
      // A lost report is repeated with the next one; the service recognises it by its number.
      .then(of.told, () => {});
  };
  const tellErrors = () => {
    clearTimeout(errorTimer);
    errorTimer = undefined;
    const session = play.session();
    // Before the first session they wait: a game that does not start fails before a slow service has opened one.
    if (session === null || errorCalls >= mostErrorCalls) return;
    const batch = errors.take();
    if (batch.length === 0) return;
    errorCalls++;
    keepaliveClient
      .call(reportErrors, { body: { session, errors: batch } }, { headers: play.headers() })
      .catch(() => {});
  };
  const tellAll = () => {
    tellPlay(time);
    tellErrors();
  };

  const timer = setInterval(tellAll, everyMs);
  document.addEventListener(
    'visibilitychange',
    () => {
      time.seen(isSeen());
      // A phone may end a hidden page without further events.
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
