import { useEffect, useState } from 'preact/compat';
import { client } from '../data/client.ts';

/** Pause in typing before a look-up, so that not every letter is looked up. */
const pauseMs = 300;

export interface CheckedHandle {
  /** The handle as the service would store it. */
  readonly handle: string;
  /** The problem, phrased as the end of a sentence; null if the handle is free. */
  readonly problem: string | null;
}

/** Returns the service's answer about a handle while it is typed; null until this handle was answered. */
export function useHandleCheck(typed: string): CheckedHandle | null {
  const [checked, setChecked] = useState<CheckedHandle | null>(null);
  useEffect(() => {
    setChecked(null);
    // Shorter handles are not complete yet.
    if (typed.trim().replace(/^@/u, '').length < 3) return;
    const ending = new AbortController();
    const timer = setTimeout(() => {
      client.checkHandle({ query: { handle: typed } }, { signal: ending.signal }).then(setChecked, () => {
        // Errors are ignored: sending the form shows the problem.
      });
    }, pauseMs);
    return () => {
      clearTimeout(timer);
      ending.abort();
    };
  }, [typed]);
  return checked;
}
