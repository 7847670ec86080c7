import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { JsonError, oddText, parseJsonBody } from './json.ts';

const refusal = (text: string): JsonError => {
  try {
    parseJsonBody(text);
  } catch (error) {
    assert.ok(error instanceof JsonError);
    return error;
  }
  return assert.fail(`${text.slice(0, 60)} was taken`);
};
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

describe('the JSON parser of bodies', () => {
  it('returns the same as any JSON parser', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => {
        const text = JSON.stringify(value);
        const plain = JSON.parse(text);
        // One of some ten thousand values has such a key.
        if (text.includes('"__proto__":')) refusal(text);
        else if (oddText(plain) === null) assert.deepEqual(parseJsonBody(text), plain);
        else refusal(text);
      }),
      { examples: [[JSON.parse('{"a":[{"__proto__":1}]}')]] },
    );
  });

  it('refuses text that cannot be stored, wherever it is and however it is escaped', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('\\u0000', '\\uD800', '\\udc00x', '\uD800'),
        fc.constantFrom<(text: string) => string>(
          (text) => `"${text}"`,
          (text) => `{"a":["b",{"c":"x${text}"}]}`,
          (text) => `{"${text}":1}`,
          (text) => `["\\\\","\\"${text}"]`,
        ),
        (odd, within) => {
          assert.match(refusal(within(odd)).odd?.message ?? '', /NUL|Unicode/u);
        },
      ),
    );
    assert.deepEqual(parseJsonBody('["\\\\u0000","[[[","\\u00e9"]'), ['\\u0000', '[[[', 'é']);
  });

  it('refuses numbers that it would have to change to infinity', () => {
    for (const number of ['1e309', '-1e400', `1${'0'.repeat(400)}`, '-2E+308']) {
      const { odd } = refusal(`{"a":[1,{"b":${number}}]}`);
      assert.deepEqual([odd?.path, odd?.message], [['a', 1, 'b'], 'is not a finite number']);
    }
    assert.deepEqual(parseJsonBody('[1e308,-1.7e308,1e-400]'), [1e308, -1.7e308, 0]);
  });

  it('refuses JSON that is nested too deep', () => {
    assert.doesNotThrow(() => parseJsonBody(nested(24)));
    assert.match(refusal(nested(25)).odd?.message ?? '', /nested deeper than 24/u);
    assert.doesNotThrow(() => parseJsonBody(JSON.stringify([nested(30), nested(30)])));
    assert.doesNotThrow(() => parseJsonBody(`[${Array(100).fill('[]').join(',')}]`));
  });

  it('refuses more values than a body may have, however short they are, before it parses them', () => {
    const list = (count: number) => `[${Array(count).fill('1').join(',')}]`;
    assert.doesNotThrow(() => parseJsonBody(list(50_000)));
    assert.throws(() => parseJsonBody(list(50_001)), { code: 'invalid', message: /more than 50000 values/u });
    assert.throws(() => parseJsonBody(list(50_001).slice(0, -1)), { message: /more than 50000 values/u });
    assert.doesNotThrow(() => parseJsonBody(JSON.stringify([','.repeat(60_000), '\\",'.repeat(60_000)])));
  });
});
