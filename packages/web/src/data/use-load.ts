import { useCallback, useEffect, useRef, useState } from 'react';

/** What was asked for: nothing yet, there, or failed. While it is asked for again, what was there stays. */
export interface Loaded<Value> {
  readonly value: Value | null;
  readonly error: unknown;
  readonly loading: boolean;
  /** Asks again. */
  readonly reload: () => void;
  /** Puts an answer in place that came another way: the answer of a change. */
  readonly set: (value: Value) => void;
}

/**
 * Asks the service for something and asks again when `key` changes; an answer that comes too late is dropped, and its
 * call ended. `first` is what the document brought along: then nothing is asked until `key` changes.
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
  // Asked again by key and turn alone: `ask` is new at every render.
  useEffect(() => {
    if (brought.current === key && turn === 0) return;
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
  }, [key, turn]);
  const reload = useCallback(() => setTurn((before) => before + 1), []);
  const set = useCallback((value: Value) => setState({ value, error: null, loading: false }), []);
  return { ...state, reload, set };
}
