import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { text } from './primitives.ts';
import { spaceFieldsSchema } from './spaces.ts';
import { hasHiddenCharacters, withoutHiddenCharacters } from './visible-text.ts';

const takes = (value: string) => text(0, 200, { lineBreaks: true }).safeParse(value).success;

describe('text that is shown to others', () => {
  it('has no characters that are invisible or change the direction', () => {
    const hidden = [
      ...'\u00ad\u034f\u061c\u115f\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e',
      ...'\u2028\u2060\u2063\u2066\u2067\u2068\u2069\u2800\u3164\ufe0f\ufeff\uffa0\u{e0041}\u{e0100}',
    ];
    const letter = fc.constantFrom(...'abcXYZäß мир 宇宙 0123');
    fc.assert(
      fc.property(
        fc.string({ unit: letter }),
        fc.constantFrom(...hidden),
        fc.string({ unit: letter }),
        (a, b, c) => {
          // This variation selector may follow only a Chinese character.
          fc.pre(!(b === '\u{e0100}' && /\p{Script=Han}$/u.test(a)));
          assert.equal(takes(a + c), true);
          assert.equal(takes(a + b + c), false, JSON.stringify(a + b + c));
        },
      ),
    );
  });

  it('may have emoji and the joiners that scripts need', () => {
    for (const good of [
      '👩‍🚀 in space',
      '👩🏽‍🚀',
      '🏳️‍🌈🏴‍☠️❤️‍🔥',
      '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
      '☎︎ 1️⃣ #️⃣ ✈️',
      'می‌خواهم',
      'क्‍ष',
      'שלום, مرحبا',
      '葛󠄀城',
      'two\nlines',
    ])
      assert.equal(takes(good), true, good);
  });

  it('keeps no joiner whose letter is invisible and was left out', () => {
    // The vowel separator of Mongolian and the inherent vowel of Khmer.
    for (const letter of '\u180e\u17b4') {
      const left = withoutHiddenCharacters(`م${letter}\u200cم`);
      assert.equal(left, 'مم');
      assert.equal(hasHiddenCharacters(left), false);
    }
    assert.equal(withoutHiddenCharacters('می\u200cخواهم'), 'می\u200cخواهم');
  });

  it('is required of every text field of a listing', () => {
    const fields = { title: 'a', space_type: 'game', devices: ['desktop'] };
    for (const name of ['title', 'description', 'engine', 'how_made'])
      assert.equal(
        spaceFieldsSchema.safeParse({ ...fields, [name]: 'Moon\u202eHopper' }).success,
        false,
        name,
      );
    for (const name of ['ai_tools', 'models'])
      assert.equal(spaceFieldsSchema.safeParse({ ...fields, [name]: ['x\u200b'] }).success, false, name);
  });
});
