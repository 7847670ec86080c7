import type { OwnPageOf } from '@spaceport/contract/first-data';
import { useState } from 'preact/compat';
import { type Pages, usePages } from '../../data/use-pages.ts';

/** A list of the account with pages, which its owner adds to and removes from. */
export interface OwnPages<Item> {
  readonly pages: Pages<Item>;
  /** The items of all loaded pages, after the changes. */
  readonly items: readonly Item[];
  /** Puts a new item first. */
  readonly add: (item: Item) => void;
  /** Replaces the item with that id by its changed form; null removes it. */
  readonly change: (id: string, by: Item | null) => void;
}

/** @param ask loads the page after the cursor */
export function useOwnPages<Item extends { readonly id: string }>(
  first: OwnPageOf<Item>,
  ask: (cursor: string) => Promise<Pick<OwnPageOf<Item>, 'items' | 'next'>>,
): OwnPages<Item> {
  const pages = usePages(first, ask);
  const [added, setAdded] = useState<readonly Item[]>([]);
  const [changed, setChanged] = useState<ReadonlyMap<string, Item | null>>(new Map());
  return {
    pages,
    items: [...added, ...pages.items].flatMap((item) => {
      const now = changed.has(item.id) ? changed.get(item.id) : item;
      return now ? [now] : [];
    }),
    add: (item) => setAdded((before) => [item, ...before]),
    change: (id, by) => setChanged((before) => new Map(before).set(id, by)),
  };
}
