import { ServiceError } from '../errors.ts';

/** A list of keyed things, split by a limit into those that fit and those that do not. */
export interface Fitted<T> {
  readonly fits: readonly T[];
  readonly over: readonly T[];
  /** How many there would be if all were let in. */
  readonly wanted: number;
}

/**
 * Splits the things by a limit. Things whose key is `present` need no room; the others fit, in their order,
 * while there are fewer than `max`.
 */
export function fitKeys<T extends { readonly key: string }>(
  things: readonly T[],
  present: ReadonlySet<string>,
  max: number,
): Fitted<T> {
  const fits: T[] = [];
  const over: T[] = [];
  let count = present.size;
  for (const thing of things) {
    if (!present.has(thing.key)) {
      if (count >= max) {
        over.push(thing);
        continue;
      }
      count++;
    }
    fits.push(thing);
  }
  return { fits, over, wanted: count + over.length };
}

/**
 * Returns the error for too many things.
 * @param kind the things of which there may be `max`, in the plural
 */
export function tooMany(kind: string, max: number, wanted: number): ServiceError {
  const message = `A space may have ${max} ${kind}; this would make it ${wanted}.`;
  return new ServiceError('too_many', message, { max, kind });
}

/**
 * Returns the things to delete when there are more than `max`: the first ones whose key is not `kept`, and no
 * more than needed.
 */
export function surplusOf<T extends { readonly key: string }>(
  things: readonly T[],
  kept: ReadonlySet<string>,
  max: number,
): readonly T[] {
  return things.filter(({ key }) => !kept.has(key)).slice(0, Math.max(0, things.length - max));
}
