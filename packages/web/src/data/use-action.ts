import { useCallback, useMemo, useRef, useState } from 'react';
import { describeError, type ErrorText } from '../ui/describe-error.ts';

/** Something a person does: a form sent, a button pressed. */
export interface Action<Input extends readonly unknown[]> {
  readonly run: (...input: Input) => void;
  readonly busy: boolean;
  /** Why the last run failed; null while it runs and when it went well. */
  readonly error: unknown;
  /** The same for the person who reads it. `problems` are those of fields. */
  readonly failure: ErrorText | null;
  /** It has not been run yet. */
  readonly isFirst: boolean;
}

/** Runs one thing at a time: pressing twice does it once. */
export function useAction<Input extends readonly unknown[]>(
  work: (...input: Input) => Promise<unknown>,
): Action<Input> {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [isFirst, setFirst] = useState(true);
  const running = useRef(false);
  const latest = useRef(work);
  latest.current = work;
  const run = useCallback((...input: Input) => {
    if (running.current) return;
    running.current = true;
    setBusy(true);
    setFirst(false);
    setError(null);
    latest
      .current(...input)
      .catch(setError)
      .finally(() => {
        running.current = false;
        setBusy(false);
      });
  }, []);
  const failure = useMemo(() => (error === null ? null : describeError(error)), [error]);
  return { run, busy, error, failure, isFirst };
}
