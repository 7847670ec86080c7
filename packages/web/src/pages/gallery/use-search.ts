import type { GalleryData } from '@spaceport/contract/first-data';
import { useState } from 'preact/compat';
import { client } from '../../data/client.ts';
import { useLoad } from '../../data/use-load.ts';
import { describeError, type ErrorText } from '../../ui/describe-error.ts';
import { type Asked, addressOf, queryOf } from './asked.ts';

/** The state of a gallery search: the shown list, and the current query, whose answer may be under way. */
export interface Search {
  readonly asked: Asked;
  readonly shown: GalleryData;
  readonly busy: boolean;
  readonly failure: ErrorText | null;
  /** Searches. The address is replaced, so that typing adds no history entries. */
  readonly search: (q: string) => void;
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
  return {
    asked,
    shown: value ?? data,
    busy: loading,
    failure: error === null ? null : describeError(error),
    search: (q) => {
      const now = { ...asked, q: q.trim() === '' ? '' : q };
      setAsked(now);
      history.replaceState(history.state, '', addressOf(now));
    },
  };
}
