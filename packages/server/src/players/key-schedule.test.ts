import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { afterlifeMs, type KeyTimes, leadMs, missingKeys, shownKeys, signingKey } from './key-schedule.ts';

const hour = 3_600_000;
const tokenMs = hour;

/**
 * Simulates a service that is asked at these instants: each time it makes missing keys and drops ended ones.
 */
function run(instants: readonly number[], keyMs: number) {
  let keys: (KeyTimes & { madeAt: number })[] = [];
  return instants.map((now) => {
    for (const signsFrom of missingKeys(keys, now, keyMs)) {
      keys = [...keys, { kid: `key-${signsFrom}`, signsFrom, madeAt: now }];
    }
    keys = shownKeys(keys, now);
    return { now, shown: keys, signing: signingKey(keys, now) };
  });
}

describe('the schedule of player keys', () => {
  it('has one key that signs and one for later, at any time', () => {
    const [first] = run([5 * hour], 24 * hour);
    assert.deepEqual(
      first?.shown.map(({ signsFrom }) => signsFrom),
      [5 * hour, 29 * hour],
    );
    assert.equal(first?.signing?.signsFrom, 5 * hour);
  });

  it('keeps the lifetime of a key, and extends it when no new key was made in time', () => {
    assert.deepEqual(missingKeys([{ kid: 'a', signsFrom: 0 }], hour, 24 * hour), [24 * hour]);
    assert.deepEqual(missingKeys([{ kid: 'a', signsFrom: 0 }], 100 * hour, 24 * hour), [100 * hour + leadMs]);
    // The key lifetime is shorter than the time for which the key set may be cached.
    assert.deepEqual(missingKeys([{ kid: 'a', signsFrom: 0 }], 1, 1_000), [1 + leadMs]);
  });

  it('signs with a key that was published long before, and publishes it until its last token ends', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 400 * hour }), { minLength: 2, maxLength: 60 }),
        fc.integer({ min: 1, max: 60 * hour }),
        (instants, keyMs) => {
          const asked = run(
            instants.toSorted((left, right) => left - right),
            keyMs,
          );
          const first = asked[0]?.now;
          for (const { now, shown, signing } of asked) {
            assert.ok(signing && shown.includes(signing));
            assert.equal(missingKeys(shown, now, keyMs).length, 0);
            assert.ok(signing.madeAt === first || now - signing.madeAt >= leadMs, 'shown too shortly before');
          }
          for (const { now, signing } of asked) {
            for (const later of asked.filter((other) => other.now >= now && other.now <= now + tokenMs)) {
              assert.ok(
                later.shown.some(({ kid }) => kid === signing?.kid),
                'gone while its token holds',
              );
            }
          }
        },
      ),
    );
  });

  it('drops a key once its last token has ended', () => {
    const keys = [0, 10, 20].map((signsFrom) => ({ kid: `${signsFrom}`, signsFrom }));
    assert.equal(shownKeys(keys, 10 + afterlifeMs - 1).length, 3);
    assert.deepEqual(shownKeys(keys, 10 + afterlifeMs), keys.slice(1));
    assert.deepEqual(shownKeys(keys, 1e15), keys.slice(2));
  });

  it('signs with the first key when the clock was set back', () => {
    const keys = [50, 60].map((signsFrom) => ({ kid: `${signsFrom}`, signsFrom }));
    assert.equal(signingKey(keys, 10)?.signsFrom, 50);
    assert.deepEqual(missingKeys(keys, 10, hour), []);
  });
});
