import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  isOneTypoApart,
  isOneTypoFromBeginning,
  traces,
  tracesOfBeginning,
  tracesOfBeginnings,
} from './typos.ts';

const letter = fc.constantFrom(...'abcdé日');
const word = fc.array(letter, { minLength: 5, maxLength: 10 });
const typo = fc.record({
  kind: fc.constantFrom('wrong', 'more', 'less', 'swapped'),
  at: fc.nat({ max: 8 }),
  letter,
});

function mistype(
  letters: readonly string[],
  { kind, at, letter }: { kind: string; at: number; letter: string },
) {
  const place = at % (letters.length - 1);
  if (kind === 'wrong') return letters.with(place, letter);
  if (kind === 'more') return letters.toSpliced(place, 0, letter);
  if (kind === 'less') return letters.toSpliced(place, 1);
  return letters.toSpliced(place, 2, letters[place + 1] ?? '', letters[place] ?? '');
}

describe('a word with one typo', () => {
  it('shares a trace with the correct word, and counts as one typo apart from it', () => {
    fc.assert(
      fc.property(word, typo, (letters, how) => {
        const [right, wrong] = [letters.join(''), mistype(letters, how).join('')];
        const known = new Set(traces(right));
        assert.ok(
          traces(wrong).some((trace) => known.has(trace)),
          `${right} ${wrong}`,
        );
        assert.ok(isOneTypoApart(right, wrong), `${right} ${wrong}`);
        assert.ok(isOneTypoApart(wrong, right), `${wrong} ${right}`);
      }),
    );
  });

  it('is found by its beginning', () => {
    const long = fc.array(letter, { minLength: 5, maxLength: 14 });
    fc.assert(
      fc.property(long, fc.nat({ max: 9 }), typo, (letters, more, how) => {
        const typed = mistype(letters.slice(0, 5 + more), how).join('');
        if ([...typed].length < 5) return;
        const right = letters.join('');
        const known = new Set(tracesOfBeginnings(right));
        assert.ok(
          tracesOfBeginning(typed).some((trace) => known.has(trace)),
          `${right} ${typed}`,
        );
        assert.ok(isOneTypoFromBeginning(typed, right), `${right} ${typed}`);
      }),
    );
    assert.deepEqual([tracesOfBeginning('moon'), tracesOfBeginnings('moon')], [[], []]);
    assert.equal(isOneTypoFromBeginning('moxn', 'moonlight'), false);
  });

  it('does not match a word that is two typos away', () => {
    for (const [one, other] of [
      ['moon', 'main'],
      ['moon', 'mo'],
      ['hopper', 'pphoer'],
      ['abcd', 'badc'],
    ] as const)
      assert.equal(isOneTypoApart(one, other), false, `${one} ${other}`);
  });

  it('is not searched for in very short and very long words', () => {
    assert.deepEqual(traces('abc'), []);
    assert.deepEqual(traces('a'.repeat(25)), []);
    assert.deepEqual(traces('moon').toSorted(), ['mon', 'moo', 'moon', 'oon']);
  });
});
