import { type ReactNode, useState } from 'preact/compat';
import { useAnswerKey } from '../../data/use-answer-key.ts';
import { useKeptPlace } from '../../data/use-kept-place.ts';
import { useLoad } from '../../data/use-load.ts';
import { usePages } from '../../data/use-pages.ts';
import { ErrorState } from '../../ui/error-state.tsx';
import { ReloadFailure } from '../../ui/reload-failure.tsx';
import { ShowMore } from '../../ui/show-more.tsx';
import { Skeleton } from '../../ui/surfaces.tsx';

interface Page<Item> {
  readonly items: readonly Item[];
  readonly next: string | null;
}

/**
 * A list with pages. The first page is requested here, and again when `name` changes. `children` renders the
 * items. `replace` replaces an item by its changed form, or removes it if there is none.
 */
export function Paged<Item>({
  name,
  ask,
  empty,
  children,
}: {
  name: string;
  ask: (cursor: string | undefined, signal?: AbortSignal) => Promise<Page<Item>>;
  empty: ReactNode;
  children: (items: readonly Item[], replace: (item: Item, by: Item | null) => void) => ReactNode;
}) {
  const first = useLoad(name, (signal) => ask(undefined, signal));
  // The old list stays until the first page of the new one has arrived. The key changes then, not with the
  // name.
  const key = useAnswerKey(first.value);
  if (first.value === null) {
    return first.error === null ? <Waiting /> : <ErrorState error={first.error} retry={first.reload} />;
  }
  return (
    <div className="stack" aria-busy={first.loading || undefined}>
      <ReloadFailure loads={[first]} />
      <More key={key} first={first.value} ask={ask} empty={empty}>
        {children}
      </More>
    </div>
  );
}

function More<Item>({
  first,
  ask,
  empty,
  children,
}: {
  first: Page<Item>;
  ask: (cursor: string) => Promise<Page<Item>>;
  empty: ReactNode;
  children: (items: readonly Item[], replace: (item: Item, by: Item | null) => void) => ReactNode;
}) {
  const pages = usePages(first, (cursor) => ask(cursor));
  useKeptPlace(pages, first.items.length);
  const { items, next } = pages;
  const [changed, setChanged] = useState<ReadonlyMap<Item, Item | null>>(new Map());
  const shown = items.flatMap((item) => {
    const now = changed.has(item) ? changed.get(item) : item;
    return now ? [now] : [];
  });
  const replace = (item: Item, by: Item | null) =>
    setChanged((before) => {
      // An item that was changed before is looked up by its original.
      const original = [...before].find(([, now]) => now === item)?.[0] ?? item;
      return new Map(before).set(original, by);
    });
  return (
    <div className="stack">
      {shown.length === 0 && next === null ? empty : children(shown, replace)}
      <ShowMore pages={pages} />
    </div>
  );
}

function Waiting() {
  return (
    <div className="stack" aria-busy="true">
      <span className="said" role="status">
        Loading
      </span>
      {[0, 1, 2, 3].map((line) => (
        <Skeleton key={line} height={3} />
      ))}
    </div>
  );
}
