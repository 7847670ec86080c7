/**
 * Text that is shown to others must be what it looks like. It may have no invisible characters, which make
 * two names look the same, and none that change the writing direction, which make a name read as another
 * (Unicode TR 36). Such a character is allowed where a script or an emoji needs it: between two letters of a
 * joining script, inside an emoji, and as the variation selector of an emoji.
 */
const hiddenCharacter =
  '[\\p{Default_Ignorable_Code_Point}\\p{Bidi_Control}\\u2028\\u2029\\u2800\\ufff9-\\ufffb]';
const hidden = new RegExp(hiddenCharacter, 'u');

const joining =
  '\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Mongolian}\\p{Script=Devanagari}\\p{Script=Bengali}\\p{Script=Gurmukhi}\\p{Script=Gujarati}\\p{Script=Oriya}\\p{Script=Tamil}\\p{Script=Telugu}\\p{Script=Kannada}\\p{Script=Malayalam}\\p{Script=Sinhala}\\p{Script=Khmer}\\p{Script=Myanmar}';

/**
 * Each with the character before it. A lookbehind would say the same, but WebKit's finds no character beyond U+FFFF
 * by its property: in Safari a family fell apart into its members.
 */
const meant = new RegExp(
  [
    // Several pictures joined to one: a family, a rainbow flag.
    '\\p{Extended_Pictographic}[\\ufe0f\\u{1f3fb}-\\u{1f3ff}]?\\u200d(?=\\p{Extended_Pictographic})',
    // Variation selectors: a character as a picture or as a sign; a digit on a key.
    '\\p{Extended_Pictographic}[\\ufe0e\\ufe0f]',
    '[0-9#*]\\ufe0f(?=\\u20e3)',
    // The flags of England, Scotland, Wales.
    '\\u{1f3f4}[\\u{e0020}-\\u{e007e}]{1,8}\\u{e007f}',
    // A few letters of these scripts are invisible themselves.
    `(?!${hiddenCharacter})[${joining}][\\u200c\\u200d](?=[${joining}])`,
    // Variation selectors of a Chinese character, as in names.
    '\\p{Script=Han}[\\u{e0100}-\\u{e01ef}]',
  ].join('|'),
  'gu',
);

export const invisibleProblem =
  'must not contain invisible characters, or ones that turn the direction of text';

export function hasHiddenCharacters(text: string): boolean {
  return hidden.test(text) && hidden.test(text.replaceAll(meant, ''));
}

const meantOrHidden = new RegExp(`${meant.source}|(${hiddenCharacter})`, 'gu');

/** Returns the text without the characters that make it refused. */
export function withoutHiddenCharacters(text: string): string {
  return text.replaceAll(meantOrHidden, (found, isHidden?: string) => (isHidden === undefined ? found : ''));
}
