import { maxPlayerTokenSeconds } from '@spaceport/contract/players';

/** How long the key set may be cached (its Cache-Control). */
export const keySetSeconds = 600;
/**
 * The least time for which a key is in the key set before it signs. By then every verifier has seen it,
 * however it caches the set, even if clocks differ.
 */
export const leadMs = 2 * 3_600_000;
/**
 * How long a key is shown after it last signed: the longest life of a token, and the difference of clocks.
 */
export const afterlifeMs = (maxPlayerTokenSeconds + 300) * 1_000;

export interface KeyTimes {
  readonly kid: string;
  /** The instant from which it signs, in epoch milliseconds. It signs until the next key does. */
  readonly signsFrom: number;
}

/**
 * Returns the key that signs now. If the clock went back before the first key, it is the first one: that one
 * is in the key set, and a new one would not be yet.
 * @param keys in the order of `signsFrom`
 */
export function signingKey<Key extends KeyTimes>(keys: readonly Key[], now: number): Key | undefined {
  return keys.findLast(({ signsFrom }) => signsFrom <= now) ?? keys[0];
}

/** Returns the keys of the key set: those of tokens that may still be valid, and the next one. */
export function shownKeys<Key extends KeyTimes>(keys: readonly Key[], now: number): Key[] {
  return keys.filter((_key, index) => {
    const next = keys[index + 1];
    return next === undefined || next.signsFrom + afterlifeMs > now;
  });
}

/**
 * Returns the instants from which missing keys are to sign, so that one key signs and one comes after it. A
 * key signs for `keyMs`, or longer if nobody asked in time for its successor to be made.
 */
export function missingKeys(keys: readonly KeyTimes[], now: number, keyMs: number): number[] {
  const current = signingKey(keys, now);
  if (!current) return [now, now + Math.max(keyMs, leadMs)];
  if (keys.at(-1) !== current) return [];
  return [Math.max(current.signsFrom + keyMs, now + leadMs)];
}
