import { fault } from './faults.ts';

type SecondScript = typeof import('./together.ts');

/** Loads the second script; called again after a failure. */
export type LoadSecond = () => Promise<SecondScript>;

/** Returns a function that makes a value at its first call. After a failure the next call tries again. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () =>
    (made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    }));
}

/**
 * Returns a function that loads the second script at its first call, and returns what `begin` makes of it.
 * @throws `offline` if the script cannot be loaded now; the next call tries again
 */
export function fromSecond<T>(load: LoadSecond, begin: (script: SecondScript) => T): () => Promise<T> {
  return once(() =>
    load()
      .then(begin)
      .catch(() => {
        throw fault('offline', 'it could not be loaded');
      }),
  );
}
