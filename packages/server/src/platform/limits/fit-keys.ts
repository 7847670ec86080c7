import { ServiceError } from '../errors.ts';

/** Some of a list of keyed things, where only so many may be there. */
export interface Fitted<T> {
  readonly fits: readonly T[];
  readonly over: readonly T[];
  /** How many there would be with all of them. */
  readonly wanted: number;
}

/** Things whose key is `present` take no room; the others are let in, in their order, while there is some. */
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

/** @param kind what there may be `max` of, in the plural */
export function tooMany(kind: string, max: number, wanted: number): ServiceError {
  const message = `A space may have ${max} ${kind}; this would make it ${wanted}.`;
  return new ServiceError('too_many', message, { max, kind });
}

/** Which of too many things go, the first first: those whose key is not `kept`, as few as will do. */
export function surplusOf<T extends { readonly key: string }>(
  things: readonly T[],
  kept: ReadonlySet<string>,
  max: number,
): readonly T[] {
  return things.filter(({ key }) => !kept.has(key)).slice(0, Math.max(0, things.length - max));
}
