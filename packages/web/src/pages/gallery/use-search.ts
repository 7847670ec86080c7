import type { GalleryData } from '@spaceport/contract/first-data';
import { useEffect, useRef, useState } from 'preact/compat';
import { client } from '../../data/client.ts';
import { useLoad } from '../../data/use-load.ts';
import { describeError, type ErrorText } from '../../ui/describe-error.ts';
import { type Asked, addressOf, queryOf, textIn } from './asked.ts';

/** The state of a gallery search: the shown list, and the current query, whose answer may be under way. */
export interface Search {
  readonly asked: Asked;
  readonly shown: GalleryData;
  readonly busy: boolean;
  readonly failure: ErrorText | null;
  /** Searches while somebody types. The address is replaced, so that typing adds no history entries. */
  readonly search: (q: string) => void;
  /** Searches, and adds a history entry, so that Back shows the search before. */
  readonly enter: (q: string) => void;
}

export function useSearch(data: GalleryData): Search {
  const [asked, setAsked] = useState<Asked>(() => ({
    q: data.q,
    tag: data.tag,
    spaceType: data.spaceType,
    sort: data.sort,
  }));
  const { value, error, loading } = useLoad<GalleryData>(
    addressOf(asked),
    async (signal) => {
      const { spaces, next } = await client.readGallery({ query: queryOf(asked) }, { signal });
      return { ...asked, spaces, next };
    },
    data,
  );
  // The search of the history entry, before somebody typed.
  const entered = useRef(asked);
  useEffect(() => {
    const showEntry = () => {
      entered.current = { ...entered.current, q: textIn(location.search) };
      setAsked(entered.current);
    };
    addEventListener('popstate', showEntry);
    return () => removeEventListener('popstate', showEntry);
  }, []);
  const search = (q: string): Asked => {
    const now = { ...asked, q: q.trim() === '' ? '' : q };
    setAsked(now);
    history.replaceState(history.state, '', addressOf(now));
    return now;
  };
  return {
    asked,
    shown: value ?? data,
    busy: loading,
    failure: error === null ? null : describeError(error),
    search,
    enter: (q) => {
      const before = addressOf(entered.current);
      entered.current = search(q);
      const now = addressOf(entered.current);
      if (now === before) return;
      history.replaceState(history.state, '', before);
      history.pushState(null, '', now);
    },
  };
}
