import type { Violation } from './violation.ts';

/**
 * The places where parsed text is cast to a type without validation, with the reason. Everywhere else columns
 * are read by `fromJson`, and outside data by a schema.
 */
const named: Readonly<Record<string, string>> = {
  'packages/contract/src/openapi.ts': 'text made of a value two words before',
  'packages/server/src/built-server/code-cache.ts':
    'written by the same build, and its checksum was compared',
  'packages/server/src/pages/built/manifest.ts': 'written by the build of this same checkout',
  'packages/server/src/platform/backup/restore.ts': 'a line of a backup, whose hash was compared',
  'packages/server/src/platform/browser/npm-browser.ts': 'the package.json that npm installed',
  'packages/server/src/platform/db/migrations/0009-true-sizes.ts': 'a column as it was then',
  'packages/web/src/app/first-data.ts': 'written into the document by the same server',
};

/** Matches a cast of parsed JSON, or its assignment to a declared type other than `unknown`. */
const cast =
  /\bJSON\.parse\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)\s*as\b(?!\s+unknown\b)|:(?!\s*unknown\b)\s*[\w<>[\]|, {}]+=\s*JSON\.parse\(/gu;

export function checkJsonCasts(path: string, source: string): Violation[] {
  if (/\.test\.tsx?$|\/test\//u.test(path) || named[path] !== undefined) return [];
  return [...source.matchAll(cast)].map(({ index }) => ({
    path,
    line: source.slice(0, index).split('\n').length,
    what: 'casts what JSON.parse read',
    why: 'read a column with fromJson, anything else with a schema, or name the place in json-casts.ts',
  }));
}
