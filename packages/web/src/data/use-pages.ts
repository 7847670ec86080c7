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
  /** Loads until so many items are there, or the list ends, or a page cannot be loaded. */
  readonly fill: (count: number) => Promise<void>;
}

/**
 * Continues a list after its first page. Give the component a new `key` to start over, as useAnswerKey returns
 * one for a first page that is requested again.
 * @param ask loads the items after the cursor: a page of the usual size, or so many
 */
export function usePages<Item>(
  first: { items: readonly Item[]; next: string | null },
  ask: (cursor: string, count?: number) => Promise<{ items: readonly Item[]; next: string | null }>,
): Pages<Item> {
  const [state, setState] = useState(first);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<ErrorText | null>(null);
  const load = async (count?: number) => {
    if (busy || state.next === null) return;
    setBusy(true);
    setFailure(null);
    let { items }: { items: readonly Item[] } = state;
    let next: string | null = state.next;
    try {
      while (next !== null) {
        const page = await ask(next, count && count - items.length);
        items = [...items, ...page.items];
        next = page.next;
        if (count === undefined || items.length >= count) break;
      }
    } catch (error) {
      setFailure(describeError(error));
    }
    setState({ items, next });
    setBusy(false);
  };
  return { items: state.items, next: state.next, busy, failure, more: () => void load(), fill: load };
}
