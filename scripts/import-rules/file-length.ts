import type { Violation } from './violation.ts';

/** Most lines of a file. A longer file usually has two subjects. */
const mostLines = 300;

/**
 * Files that may be longer, with the reason. Generated files (openapi.json, lockfiles, figures) are not
 * checked.
 */
const longer: Readonly<Record<string, string>> = {
  'packages/server/src/platform/db/schema.ts': 'every table in one place, as the migrations leave them',
};

export function checkFileLength(path: string, source: string): Violation[] {
  const lines = source.split('\n').length - (source.endsWith('\n') ? 1 : 0);
  if (lines <= mostLines || longer[path] !== undefined) return [];
  const why = `no file has more than ${mostLines}: split it by subject, or a test by what it tests`;
  return [{ path, line: mostLines + 1, what: `has ${lines} lines`, why }];
}
