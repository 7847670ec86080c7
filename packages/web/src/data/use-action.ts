import { useCallback, useMemo, useRef, useState } from 'preact/compat';
import { describeError, type ErrorText } from '../ui/describe-error.ts';

/** An action of a person: sending a form, pressing a button. */
export interface Action<Input extends readonly unknown[]> {
  readonly run: (...input: Input) => void;
  readonly busy: boolean;
  /** The error of the last run; null while it runs and after a success. */
  readonly error: unknown;
  /** The error in words for the person. `problems` has the problems of fields. */
  readonly failure: ErrorText | null;
  /** Whether it was never run. */
  readonly isFirst: boolean;
}

/** Runs an action, one run at a time: pressing twice runs it once. */
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
