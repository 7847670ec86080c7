import { type ErrorReport, sdkLimits } from '@spaceport/contract/sdk-protocol';

/** Errors come in bursts, so they are collected for this long and reported together. */
const collectMs = 1_000;
const restMs = 5_000;

export interface Reports {
  /** `place` replaces the stack of an error that has none, such as a thrown text. */
  add(kind: ErrorReport['kind'], error: unknown, place?: string): void;
}

/** Reports errors in batches. Equal errors are counted; kinds beyond the limit of a batch are dropped. */
export function createReports(tell: (batch: ErrorReport[]) => void): Reports {
  const batch = new Map<string, ErrorReport>();
  let isWaiting = false;

  function flush(): void {
    if (batch.size === 0) {
      isWaiting = false;
      return;
    }
    tell([...batch.values()]);
    batch.clear();
    setTimeout(flush, restMs);
  }

  return {
    add(kind, error, place) {
      const { message, stack = place || null } = wordsOf(error);
      const report = { kind, message, stack, count: 1 };
      const key = `${kind}${report.message}${report.stack}`;
      const known = batch.get(key);
      if (known) known.count++;
      else if (batch.size < sdkLimits.errorsInBatch) batch.set(key, report);
      if (isWaiting) return;
      isWaiting = true;
      setTimeout(flush, collectMs);
    },
  };
}

/** Returns the message and stack of anything that was thrown. Never throws. */
function wordsOf(error: unknown): { message: string; stack?: string } {
  try {
    // An error of a nested page is of another class.
    const stack = typeof error === 'object' && error && 'stack' in error ? `${error.stack}` : undefined;
    return {
      message: String(error).slice(0, sdkLimits.errorMessageCharacters),
      ...(stack && { stack: stack.slice(0, sdkLimits.errorStackCharacters) }),
    };
  } catch {
    return { message: 'an error that cannot be shown' };
  }
}
