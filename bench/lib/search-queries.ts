import { type Sample, seededNumbers } from './search-data.ts';
import type { LoadOptions } from './wrk.ts';
import { luaTable, wrkScript } from './wrk-script.ts';

const types = ['game', 'toy', 'art', 'tool', 'story', 'music', 'learning', 'app'];
const consonants = 'bcdfghjklmnpqrstvwxz';

/** What people type, made from the texts of a space. A search that has no such text gives null. */
type Typing = (sample: Sample, number: () => number) => string | null;

const pick = <T>(list: ArrayLike<T>, number: () => number) => list[Math.floor(number() * list.length)];

const wordOf = (text: string, number: () => number) => pick(text.split(' '), number) ?? text;

/** Leaves out, swaps or replaces a letter inside a word. */
function mistyped(word: string, number: () => number): string {
  const at = 1 + Math.floor(number() * (word.length - 2));
  const [before, letter = '', next = '', after] = [
    word.slice(0, at),
    word[at],
    word[at + 1],
    word.slice(at + 2),
  ];
  const kind = Math.floor(number() * 3);
  return before + (kind === 0 ? next : kind === 1 ? next + letter : `x${next}`) + after;
}

/** Each kind is as frequent as the others. */
const kinds: Readonly<Record<string, Typing>> = {
  'one letter': ({ title }) => title.slice(0, 1),
  'a beginning': ({ title }, number) => title.slice(0, 2 + Math.floor(number() * 5)).trim(),
  'a whole title': ({ title }) => title,
  'two words': ({ title }, number) => {
    const [first = '', second] = title.split(' ');
    return second === undefined ? null : `${second} ${first.slice(0, 2 + Math.floor(number() * 6))}`;
  },
  'two words of a description': ({ description }, number) =>
    `${wordOf(description, number)} ${wordOf(description, number)}`,
  'a tag': ({ tags: [tag = null] }) => tag,
  'a typo': ({ title }, number) => {
    const word = wordOf(title, number);
    return word.length < 5 ? null : mistyped(word, number);
  },
  'a title with a typo': ({ title }, number) => {
    const [first = '', second] = title.split(' ');
    return second === undefined || first.length < 5 ? null : `${mistyped(first, number)} ${second}`;
  },
  'a word that is nowhere': (_sample, number) =>
    `zq${Array.from({ length: 3 + Math.floor(number() * 4) }, () => pick(consonants, number)).join('')}`,
  'a word beside one that is nowhere': ({ title }, number) =>
    `${wordOf(title, number)} zq${pick(consonants, number)}${pick(consonants, number)}`,
};

export const kindNames: readonly string[] = Object.keys(kinds);

/**
 * Returns the paths of searches that are all different: every kind in turn. Where a kind has no further text, as with
 * the letters of the alphabet, the search is narrowed by type, ordered otherwise, or has fewer results.
 */
export function differentSearches(samples: readonly Sample[], count: number): string[] {
  const number = seededNumbers(2);
  const paths = new Set<string>();
  const narrowed = (q: string) => [
    new URLSearchParams({ q }),
    new URLSearchParams({ q, space_type: pick(types, number) ?? 'game' }),
    new URLSearchParams({
      q,
      space_type: pick(types, number) ?? 'game',
      sort: pick(['new', 'played'], number) ?? 'new',
    }),
    new URLSearchParams({ q, limit: String(12 + Math.floor(number() * 13)) }),
    new URLSearchParams({
      q,
      space_type: pick(types, number) ?? 'game',
      limit: String(12 + Math.floor(number() * 13)),
    }),
  ];
  while (paths.size < count)
    for (const typing of Object.values(kinds)) {
      const sample = pick(samples, number);
      const q = sample ? typing(sample, number) : null;
      const path =
        q &&
        narrowed(q)
          .map((query) => `/api/gallery?${query}`)
          .find((each) => !paths.has(each));
      if (path) paths.add(path);
    }
  return [...paths].slice(0, count);
}

/** Returns what people type, all kinds in turn. */
export function typedTexts(samples: readonly Sample[], count: number): string[] {
  const number = seededNumbers(3);
  const texts: string[] = [];
  while (texts.length < count)
    for (const typing of Object.values(kinds)) {
      const sample = pick(samples, number);
      const q = sample ? typing(sample, number) : null;
      if (q) texts.push(q);
    }
  return texts.slice(0, count);
}

/** Writes a wrk script that requests the paths in turn. Returns the options for `load`. */
export function askingFor(
  folder: string,
  name: string,
  paths: readonly string[],
  host: string,
): Promise<LoadOptions> {
  return wrkScript(
    folder,
    name,
    `
local paths = { ${paths.map((path) => JSON.stringify(path)).join(',\n')} }
local headers = ${luaTable({ Host: host })}
local at = 0
function request()
  at = at % #paths + 1
  return wrk.format('GET', paths[at], headers)
end
`,
  );
}
