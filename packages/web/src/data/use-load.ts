import { useCallback, useEffect, useRef, useState } from 'preact/compat';
import { useShown } from '../app/use-shown.ts';

/** The state of a request to the service. While it is repeated, the last answer stays. */
export interface Loaded<Value> {
  readonly value: Value | null;
  readonly error: unknown;
  readonly loading: boolean;
  /** Repeats the request. */
  readonly reload: () => void;
  /** Sets an answer from elsewhere, such as the answer to a change. */
  readonly set: (value: Value) => void;
}

/**
 * Makes a request to the service, and repeats it when `key` changes. An outdated request is aborted and its
 * answer dropped. If `first` (the document's data) is given, the first request is made when `key` changes.
 */
export function useLoad<Value>(
  key: string,
  ask: (signal: AbortSignal) => Promise<Value>,
  first: Value | null = null,
): Loaded<Value> {
  const [state, setState] = useState({ value: first, error: null as unknown, loading: first === null });
  const [turn, setTurn] = useState(0);
  const latest = useRef(ask);
  latest.current = ask;
  const brought = useRef(first === null ? null : key);
  const isShown = useShown();
  // `ask` does not repeat the request, because it is a new function at every render.
  useEffect(() => {
    if (!isShown || (brought.current === key && turn === 0)) return;
    brought.current = null;
    const ending = new AbortController();
    setState((before) => ({ ...before, error: null, loading: true }));
    latest.current(ending.signal).then(
      (value) => {
        if (!ending.signal.aborted) setState({ value, error: null, loading: false });
      },
      (error: unknown) => {
        if (!ending.signal.aborted) setState((before) => ({ ...before, error, loading: false }));
      },
    );
    return () => ending.abort();
  }, [key, turn, isShown]);
  const reload = useCallback(() => setTurn((before) => before + 1), []);
  const set = useCallback((value: Value) => setState({ value, error: null, loading: false }), []);
  return { ...state, reload, set };
}
