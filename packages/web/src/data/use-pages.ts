import { useState } from 'preact/compat';
import { describeError, type ErrorText } from '../ui/describe-error.ts';

/** A list that is loaded page by page, each page below the previous ones. */
export interface Pages<Item> {
  readonly items: readonly Item[];
  /** Cursor of the next page; null at the end. */
  readonly next: string | null;
  readonly busy: boolean;
  readonly failure: ErrorText | null;
  readonly more: () => void;
}

/** Continues a list after its first page. Give the component a new `key` to start over. */
export function usePages<Item>(
  first: { items: readonly Item[]; next: string | null },
  ask: (cursor: string) => Promise<{ items: readonly Item[]; next: string | null }>,
): Pages<Item> {
  const [state, setState] = useState(first);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<ErrorText | null>(null);
  const more = () => {
    if (busy || state.next === null) return;
    setBusy(true);
    setFailure(null);
    ask(state.next)
      .then(
        ({ items, next }) => setState((before) => ({ items: [...before.items, ...items], next })),
        (error: unknown) => setFailure(describeError(error)),
      )
      .finally(() => setBusy(false));
  };
  return { items: state.items, next: state.next, busy, failure, more };
}
