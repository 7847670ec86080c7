import { createContext, type ReactNode, useContext, useState } from 'preact/compat';

interface Ids {
  readonly prefix: string;
  next: number;
}

const IdsContext = createContext<Ids | null>(null);

/**
 * A part of the page that counts the ids of its elements separately. The server and the browser must give an
 * element the same id, and ids are counted in the order of drawing. So this is around each part that only one
 * of them draws, and around each part that is hydrated later than the page.
 */
export function ElementIds({ children }: { children: ReactNode }) {
  const around = useContext(IdsContext);
  const [ids] = useState<Ids>(() => ({ prefix: around === null ? 'e' : `${nextOf(around)}-`, next: 0 }));
  return <IdsContext value={ids}>{children}</IdsContext>;
}

/** Returns an id for an element of this component, for labels and descriptions. */
export function useElementId(): string {
  const ids = useContext(IdsContext);
  if (ids === null) throw new Error('An element with an id stands in an App.');
  const [id] = useState(() => nextOf(ids));
  return id;
}

const nextOf = (ids: Ids) => `${ids.prefix}${ids.next++}`;
