import type { Violation } from './violation.ts';

/** A source by its path or the end of it, with alternatives in braces: `saves/{saves,losers}.ts`. */
const named = /`([\w./{},-]+\.(?:tsx?|mjs|css))`/gu;

/**
 * Checks that each source which a document names is there. A decision that another one has superseded may name
 * what is gone.
 *
 * @param files paths of the checkout
 */
export function checkNamedFiles(path: string, text: string, files: ReadonlySet<string>): Violation[] {
  if (text.includes('**Superseded by')) return [];
  const isThere = (name: string) => files.has(name) || [...files].some((file) => file.endsWith(`/${name}`));
  return text.split('\n').flatMap((line, index) =>
    [...line.matchAll(named)]
      .flatMap(([, name = '']) => spelledOut(name))
      .filter((name) => !isThere(name.replace(/^\//u, '')))
      .map((what) => ({ path, line: index + 1, what, why: 'a document names a file that is not there' })),
  );
}

/** Returns the names that the alternatives give. A name with a placeholder, as in `{name}.page.ts`, gives none. */
function spelledOut(name: string): string[] {
  const [, before = '', words, after = ''] = /^(.*?)\{(.*?)\}(.*)$/u.exec(name) ?? [];
  if (words === undefined) return [name];
  return words.includes(',') ? words.split(',').flatMap((word) => spelledOut(before + word + after)) : [];
}

const roomOfTable = /^\| (.+?) \| .+ \|$/u;
const partOfServer = /^packages\/server\/src\/((?:platform\/)?[\w-]+)\//u;

/**
 * Checks that the table of the server's rooms in docs/architecture.md names each folder of the server and of its
 * platform, and no other.
 */
export function checkRooms(path: string, text: string, files: ReadonlySet<string>): Violation[] {
  const lines = text.split('\n');
  const begin = lines.indexOf("## The server's rooms") + 1;
  const length = lines.slice(begin).findIndex((line) => line.startsWith('#'));
  const toldAt = new Map(
    lines.slice(begin, begin + length).flatMap((line, index) => {
      const names = [...(roomOfTable.exec(line)?.[1] ?? '').matchAll(/`([^`]+)`/gu)];
      return names
        .map(([, name = '']) => name.replace(/\/$/u, ''))
        .filter((name) => !name.endsWith('.ts'))
        .map((name) => [name, begin + index + 1] as const);
    }),
  );
  const rooms = new Set([...files].flatMap((file) => partOfServer.exec(file)?.[1] ?? []));
  const gone = [...toldAt].filter(([name]) => !rooms.has(name));
  const untold = [...rooms].filter((name) => name !== 'platform' && !toldAt.has(name));
  return [
    ...gone.map(([what, line]) => ({ path, line, what, why: 'the table of rooms names no folder' })),
    ...untold.map((what) => ({ path, line: begin, what, why: 'the table of rooms lacks it' })),
  ];
}
