/**
 * Text as it is shown to others must be what it looks like: no characters that nobody sees, which make two names look the
 * same, and none that turn the direction of what follows, which make a name read as another (Unicode TR 36). Where a
 * script or an emoji is made with such a character, it stays: between two letters of a script that joins them, inside an
 * emoji, and as the choice of an emoji's form.
 */
const hidden = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\u2028\u2029\u2800\ufff9-\ufffb]/u;

const joining =
  '\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Mongolian}\\p{Script=Devanagari}\\p{Script=Bengali}\\p{Script=Gurmukhi}\\p{Script=Gujarati}\\p{Script=Oriya}\\p{Script=Tamil}\\p{Script=Telugu}\\p{Script=Kannada}\\p{Script=Malayalam}\\p{Script=Sinhala}\\p{Script=Khmer}\\p{Script=Myanmar}';

const meant = new RegExp(
  [
    // A family, a rainbow flag: pictures joined to one.
    '(?<=\\p{Extended_Pictographic}[\\ufe0f\\u{1f3fb}-\\u{1f3ff}]?)\\u200d(?=\\p{Extended_Pictographic})',
    // As a picture or as a sign; a digit on a key.
    '(?<=\\p{Extended_Pictographic})[\\ufe0e\\ufe0f]',
    '(?<=[0-9#*])\\ufe0f(?=\\u20e3)',
    // The flags of England, Scotland, Wales.
    '(?<=\\u{1f3f4})[\\u{e0020}-\\u{e007e}]{1,8}\\u{e007f}',
    `(?<=[${joining}])[\\u200c\\u200d](?=[${joining}])`,
    // Forms of one Chinese character, as in names.
    '(?<=\\p{Script=Han})[\\u{e0100}-\\u{e01ef}]',
  ].join('|'),
  'gu',
);

export const invisibleProblem =
  'must not contain invisible characters, or ones that turn the direction of text';

export function hasHiddenCharacters(text: string): boolean {
  return hidden.test(text) && hidden.test(text.replaceAll(meant, ''));
}
