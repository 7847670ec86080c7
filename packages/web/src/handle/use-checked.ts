import { useEffect, useState } from 'react';
import { client } from '../data/client.ts';

/** Somebody who types is not asked about every letter. */
const pauseMs = 300;

export interface CheckedHandle {
  /** As the service would keep it. */
  readonly handle: string;
  /** The end of a sentence about it; null where it is free. */
  readonly problem: string | null;
}

/** What the service says about a handle that is being typed; null until it has said something about this one. */
export function useChecked(typed: string): CheckedHandle | null {
  const [checked, setChecked] = useState<CheckedHandle | null>(null);
  useEffect(() => {
    setChecked(null);
    // Shorter ones are being typed still.
    if (typed.trim().replace(/^@/u, '').length < 3) return;
    const ending = new AbortController();
    const timer = setTimeout(() => {
      client.checkHandle({ query: { handle: typed } }, { signal: ending.signal }).then(setChecked, () => {
        // Without the hint, sending the form says what is wrong.
      });
    }, pauseMs);
    return () => {
      clearTimeout(timer);
      ending.abort();
    };
  }, [typed]);
  return checked;
}
