import { useCallback, useRef, useState } from 'react';
import { describeError, type ErrorText } from '../ui/describe-error.ts';

/** Something a person does: a form sent, a button pressed. */
export interface Action<Input extends readonly unknown[]> {
  readonly run: (...input: Input) => void;
  readonly busy: boolean;
  /** Why the last run failed; null while it runs and when it went well. `problems` are those of fields. */
  readonly failure: ErrorText | null;
  /** It has not been run yet. */
  readonly isFirst: boolean;
}

/** Runs one thing at a time: pressing twice does it once. */
export function useAction<Input extends readonly unknown[]>(
  work: (...input: Input) => Promise<unknown>,
): Action<Input> {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<ErrorText | null>(null);
  const [isFirst, setFirst] = useState(true);
  const running = useRef(false);
  const latest = useRef(work);
  latest.current = work;
  const run = useCallback((...input: Input) => {
    if (running.current) return;
    running.current = true;
    setBusy(true);
    setFirst(false);
    setFailure(null);
    latest
      .current(...input)
      .catch((error: unknown) => setFailure(describeError(error)))
      .finally(() => {
        running.current = false;
        setBusy(false);
      });
  }, []);
  return { run, busy, failure, isFirst };
}
