/**
 * Returns a text in one line, for places that cut longer ones: at most so many characters (code points), cut after
 * a word.
 */
export function shorten(text: string, longest: number): string {
  const line = text.trim().replaceAll(/\s+/gu, ' ');
  const characters = [...line];
  if (characters.length <= longest) return line;
  const cut = characters.slice(0, longest - 1).join('');
  const end = cut.lastIndexOf(' ');
  // A text without spaces, as in Japanese, is cut between two characters.
  const whole = end > cut.length / 2 ? cut.slice(0, end) : cut;
  return `${whole.replace(/[\s,;:.–—-]+$/u, '')}…`;
}
