import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { fold, keyOf, typedWords, wordsOf } from './words.ts';

describe('the words of a search text', () => {
  const cases: [string, string[]][] = [
    ['Moon Hopper', ['moon', 'hopper']],
    ['Zoë’s ÉLAN', ['zoes', 'elan']],
    ['pixel-art, two_players & more!', ['pixel', 'art', 'two', 'players', 'more']],
    ['ＦＵＬＬ ﬁsh №1', ['full', 'fish', 'no1']],
    ['Straße Łódź Ærø', ['strasse', 'lodz', 'aero']],
    ['Ёлка ὀρφεύς', ['елка', 'ορφευς']],
    ['日本語', ['日本', '本語', '語']],
    ['3D日本', ['3d', '日本', '本']],
    ['が', ['が']],
    ['한국 게임', ['한국', '게임']],
    ['हिन्दी', ['हिन्दी']],
    ['Puzzle🧩Fun 🎮', ['puzzle', '🧩', 'fun', '🎮']],
    ['Euro 🇩🇪🇫🇷', ['euro', '🇩🇪', '🇫🇷']],
    ['', []],
    ['" * ( ) : ^ -- \u0000 \\', []],
  ];
  for (const [text, words] of cases)
    it(`${JSON.stringify(text)}`, () => assert.deepEqual(wordsOf(text), words));

  it('are the typed words, each once, and text without spaces in pairs of characters', () => {
    assert.deepEqual(typedWords('Moon moon MOON hop', 6), ['moon', 'hop']);
    assert.deepEqual(typedWords('日本語', 6), ['日本', '本語']);
    assert.deepEqual(typedWords('語', 6), ['語']);
    assert.deepEqual(typedWords('a b c d', 3), ['a', 'b', 'c']);
  });

  it('are joined into one key that titles are compared by', () => {
    assert.equal(keyOf(' Moon—Hopper! '), 'moon_hopper');
    assert.equal(keyOf('日本 語'), '日本_語');
  });

  it('contain no character that separates tokens, whatever the text', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'é', '7'), maxLength: 120 });
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), letters), (text) => {
        for (const word of [...wordsOf(text), ...typedWords(text, 100)]) {
          assert.doesNotMatch(word, /[\u0000-\u002f\u003a-\u0060\u007b-\u007f]/u);
          assert.notEqual(word, '');
          assert.ok([...word].length <= 40);
        }
      }),
    );
  });

  it('do not change when they are folded a second time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const once = fold(text);
        assert.equal(fold(once), once);
      }),
    );
  });
});
