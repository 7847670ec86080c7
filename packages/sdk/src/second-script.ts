import type { Backend } from './backend.ts';
import { fault } from './faults.ts';
import type { Together } from './together.ts';

/** Loads the second script; called anew after it has failed. */
export type LoadSecond = () => Promise<typeof import('./together.ts')>;

/**
 * What the second script has, loaded when it is first asked for.
 * @throws `offline` where it cannot be had now; the next who asks tries again
 */
export function secondScript(load: LoadSecond, backend: Backend): () => Promise<Together> {
  let loaded: Promise<Together> | undefined;
  return () =>
    (loaded ??= load().then(
      ({ together }) => together(backend),
      () => {
        loaded = undefined;
        throw fault('offline', 'it could not be loaded');
      },
    ));
}
