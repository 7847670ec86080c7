import { maxPlayerTokenSeconds } from '@spaceport/contract/players';

/** How long anyone may keep the key set (its Cache-Control). */
export const keySetSeconds = 600;
/**
 * A key is in the key set at least this long before it signs: whoever verifies tokens has seen it by then, however they
 * keep the set, and a clock may differ.
 */
export const leadMs = 2 * 3_600_000;
/** And this long after it last signed: the longest life of a token, and the differences of clocks. */
export const afterlifeMs = (maxPlayerTokenSeconds + 300) * 1_000;

export interface KeyTimes {
  readonly kid: string;
  /** It signs from this instant until the next one's. */
  readonly signsFrom: number;
}

/**
 * The key that signs now, out of keys in the order of `signsFrom`. Where a clock went back before the first one it is
 * that one: it is in the key set, as a new one would not be yet.
 */
export function signingKey<Key extends KeyTimes>(keys: readonly Key[], now: number): Key | undefined {
  return keys.findLast(({ signsFrom }) => signsFrom <= now) ?? keys[0];
}

/** The keys that a token which still holds can be signed with, and the coming one: what the key set shows. */
export function shownKeys<Key extends KeyTimes>(keys: readonly Key[], now: number): Key[] {
  return keys.filter((_key, index) => {
    const next = keys[index + 1];
    return next === undefined || next.signsFrom + afterlifeMs > now;
  });
}

/**
 * The instants that new keys are to sign from, so that there is one that signs and one that comes after it. A key signs
 * for `keyMs`; later, where nobody asked for so long that its successor was not made in time.
 */
export function missingKeys(keys: readonly KeyTimes[], now: number, keyMs: number): number[] {
  const current = signingKey(keys, now);
  if (!current) return [now, now + Math.max(keyMs, leadMs)];
  if (keys.at(-1) !== current) return [];
  return [Math.max(current.signsFrom + keyMs, now + leadMs)];
}
