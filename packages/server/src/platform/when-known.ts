/** A value, or the promise of one. Code that often knows the value at once returns it without a promise. */
export type Soon<T> = T | Promise<T>;

/**
 * Calls `next` with the value: at once if it is there, else when its promise resolves. A request that passes
 * ten functions would otherwise wait for ten promises, which takes longer than a small response.
 */
export function whenKnown<T, Next>(value: Soon<T>, next: (value: T) => Soon<Next>): Soon<Next> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Returns all values: at once if all are there. */
export function allKnown<T>(values: readonly Soon<T>[]): Soon<readonly T[]> {
  return values.some((value) => value instanceof Promise) ? Promise.all(values) : (values as readonly T[]);
}
