import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { markOf, seal, unseal } from './seal.ts';

const key = randomBytes(32);

describe('a seal', () => {
  it('returns what was sealed, for its own kind and key alone', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const sealed = seal(key, 'session', value);
        assert.match(sealed, /^[\w-]+\.[\w-]{43}$/u);
        assert.deepEqual(unseal(key, 'session', sealed), JSON.parse(JSON.stringify(value)));
        assert.equal(unseal(key, 'run', sealed), undefined);
        assert.equal(unseal(randomBytes(32), 'session', sealed), undefined);
      }),
    );
  });

  it('is invalid after any change', () => {
    const sealed = seal(key, 'run', { spaceId: 'spc_1', startedAt: 1_000 });
    fc.assert(
      fc.property(fc.nat(sealed.length - 1), fc.integer({ min: 33, max: 126 }), (at, code) => {
        const changed = sealed.slice(0, at) + String.fromCharCode(code) + sealed.slice(at + 1);
        const told = unseal(key, 'run', changed);
        // The last character of base64url has bits that belong to no byte.
        if (changed === sealed || at === sealed.length - 1) return;
        assert.equal(told, undefined, changed);
      }),
    );
  });

  it('is not read from other text', () => {
    fc.assert(fc.property(fc.string(), (text) => assert.equal(unseal(key, 'session', text), undefined)));
    for (const text of ['', '.', '..', `${seal(key, 'session', 1)}.`, `.${seal(key, 'session', 1)}`])
      assert.equal(unseal(key, 'session', text), undefined, text);
  });
});

describe('a mark', () => {
  it('is equal for the same parts, and differs when the same text is split in another way', () => {
    assert.equal(markOf(key, 'a', 'bc'), markOf(key, 'a', 'bc'));
    assert.notEqual(markOf(key, 'a', 'bc'), markOf(key, 'ab', 'c'));
    assert.notEqual(markOf(key, 'a'), markOf(randomBytes(32), 'a'));
  });
});
