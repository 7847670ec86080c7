/** Letters and digits that are left when accents are taken off, and that an address cannot have. */
const foreign = /(?![a-z0-9])[\p{L}\p{N}]/iu;
const pictures = /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}/gu;
const kana = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;
const kanaRuns = /[\p{Script=Hiragana}\p{Script=Katakana}ー]+/gu;
const chinese = /\p{Script=Han}/gu;
const japaneseWithoutSound = /[\p{Script=Han}\p{Script=Hiragana}]+/gu;
const smallLetter = /[ぁぃぅぇぉゃゅょァィゥェォャュョ]/u;

type ToAscii = (text: string) => string;

/**
 * Returns a title in ASCII: without accents, and other scripts as they sound, letter by letter. Pictures are left out,
 * and so are kanji and hiragana where a title has both: how kanji are read takes a dictionary.
 */
export async function inLatin(title: string): Promise<string> {
  const plain = title.normalize('NFKD').replace(/\p{M}/gu, '');
  if (!foreign.test(plain)) return plain.replace(pictures, ' ');
  const toAscii = await loadTable();
  const text = title.normalize('NFKC').replace(pictures, ' ');
  const readable =
    kana.test(text) && text.search(chinese) >= 0 ? text.replace(japaneseWithoutSound, ' ') : text;
  return toAscii(
    readable
      .replace(chinese, (letter) => ` ${toAscii(letter)} `)
      .replace(kanaRuns, (run) => inHepburn(run, toAscii)),
  );
}

/** Returns the names of the pictures in a title. */
export async function picturesIn(title: string): Promise<string> {
  const found = title.match(pictures) ?? [];
  if (found.length === 0) return '';
  const toAscii = await loadTable();
  return found.map((picture) => toAscii(picture)).join(' ');
}

/** The table is half a megabyte, and most titles do not need it. */
async function loadTable(): Promise<ToAscii> {
  return (await import('any-ascii')).default;
}

/** Joins a small kana with the one before it, and doubles the sound after a small tsu: キャッスル is kyassuru. */
function inHepburn(run: string, toAscii: ToAscii): string {
  let written = '';
  let doubles = false;
  for (const letter of run) {
    const sound = toAscii(letter).toLowerCase();
    if (letter === 'っ' || letter === 'ッ') doubles = true;
    else if (smallLetter.test(letter)) written = joined(written, sound);
    else {
      written += doubles ? doubled(sound) : sound;
      doubles = false;
    }
  }
  return written;
}

/** `ki` and `ya` are `kya`, `shi` and `ya` are `sha`, `fu` and `a` are `fa`. */
function joined(before: string, sound: string): string {
  const stem = before.slice(0, -1);
  return stem + (/(?:sh|ch|j)$/u.test(stem) ? sound.replace(/^y/u, '') : sound);
}

function doubled(sound: string): string {
  return (sound.startsWith('ch') ? 't' : sound.slice(0, 1)) + sound;
}
