/** Characters that take two columns of a terminal: East Asian wide and full-width ones, and emoji (Unicode UAX #11). */
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6b\uff01-\uff60\uffe0-\uffe6\u{17000}-\u{18cff}\u{1b000}-\u{1b2fb}\u{20000}-\u{3fffd}]|\ufe0f|\p{Emoji_Presentation}/u;
const marks = /^[\p{Mark}\p{Default_Ignorable_Code_Point}]+$/u;
const plain = /^[\0-\x7f]*$/;
let segmenter: Intl.Segmenter | undefined;

/** Returns the columns that a text takes in a terminal. What people see as one character counts once. */
export function textWidth(text: string): number {
  if (plain.test(text)) return text.length;
  segmenter ??= new Intl.Segmenter('en');
  let width = 0;
  for (const { segment } of segmenter.segment(text))
    if (!marks.test(segment)) width += wide.test(segment) ? 2 : 1;
  return width;
}
