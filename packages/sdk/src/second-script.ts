import type { Backend } from './backend.ts';
import { fault } from './faults.ts';
import type { Together } from './together.ts';

/** Loads the second script; called again after a failure. */
export type LoadSecond = () => Promise<typeof import('./together.ts')>;

/**
 * Returns a function that loads the second script at its first call.
 * @throws `offline` if the script cannot be loaded now; the next call tries again
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
