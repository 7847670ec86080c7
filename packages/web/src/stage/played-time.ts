import { maxReportedSeconds } from '@spaceport/contract/play-reports';

/** The progress of a load since its last report. */
export interface PlayedPart {
  readonly part: number;
  readonly began?: { readonly ms: number; readonly bytes: number | null };
  readonly seconds: number;
}

/** Measures one load of a frame. Times are milliseconds of a clock that never goes back. */
export interface PlayedTime {
  /** Play began, after these milliseconds and bytes. The values come from the frame and are not trusted. */
  begun(ms: unknown, bytes: unknown): void;
  /** Sets whether the space is being played. Without this call it is played from the beginning of play. */
  playing(isOn: boolean): void;
  seen(isSeen: boolean): void;
  /** Returns the next report, or null if there is none. It stays the same until `told`. */
  next(): PlayedPart | null;
  told(): void;
}

const mostMs = 3_600_000;
const mostBytes = 2 ** 40;

export function createPlayedTime(now: () => number, isSeenFirst: boolean): PlayedTime {
  let isSeen = isSeenFirst;
  let isPlaying = true;
  let hasBegun = false;
  let began: PlayedPart['began'];
  let countedMs = 0;
  let since: number | null = null;
  let part = 0;
  let untold: PlayedPart | null = null;

  const count = () => {
    const at = now();
    if (since !== null) countedMs += at - since;
    since = hasBegun && isPlaying && isSeen ? at : null;
  };

  return {
    begun(ms, bytes) {
      if (hasBegun) return;
      hasBegun = true;
      began = { ms: wholeUpTo(ms, mostMs) ?? 0, bytes: wholeUpTo(bytes, mostBytes) };
      count();
    },
    playing(isOn) {
      isPlaying = isOn;
      count();
    },
    seen(isNowSeen) {
      isSeen = isNowSeen;
      count();
    },
    next() {
      if (untold) return untold;
      count();
      const seconds = Math.min(maxReportedSeconds, Math.floor(countedMs / 1_000));
      if (seconds === 0 && !began) return null;
      // After the computer has slept there is more time than a report allows; nobody played that time.
      countedMs = countedMs >= (seconds + 1) * 1_000 ? 0 : countedMs - seconds * 1_000;
      untold = { part: part++, seconds, ...(began && { began }) };
      began = undefined;
      return untold;
    },
    told() {
      untold = null;
    },
  };
}

function wholeUpTo(value: unknown, most: number): number | null {
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0) return null;
  return Math.min(most, Math.round(value));
}
