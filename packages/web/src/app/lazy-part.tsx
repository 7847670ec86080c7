import { type JSX, lazy, useState } from 'preact/compat';

type Part<Props> = (props: Props) => JSX.Element | null;

/** The props of what takes the place of a part without its script. */
export interface Missing {
  /** Loads the script again. */
  readonly retry: () => void;
}

/**
 * Returns a part of a page that has a script of its own. If the script cannot be loaded, `Instead` is shown. The
 * page goes on: it may have a running game, or text that somebody typed.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<{ default: Part<Props> }>,
  Instead: Part<NoInfer<Props> & Missing>,
): Part<Props> {
  // A browser may keep the failure of a script for as long as the document, so nothing is tried offline.
  const loadOnline = () => (navigator.onLine ? load() : Promise.reject(new Error('offline')));
  // A lazy component keeps its failure, so each try has a new one.
  const next = (): Part<Props & Missing> =>
    lazy<Part<Props & Missing>>(() =>
      loadOnline().catch((): { default: Part<Props & Missing> } => {
        latest = next();
        return { default: Instead };
      }),
    );
  let latest = next();
  return function LazyPart(props: Props) {
    const [Shown, setShown] = useState(() => latest);
    return <Shown {...props} retry={() => setShown(() => latest)} />;
  };
}
