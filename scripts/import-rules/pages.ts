import type { Module } from './module.ts';
import type { Violation } from './violation.ts';

/**
 * For packages/web: pages are loaded separately, so a page may not import from another page's folder, styles
 * included.
 */
export function checkPages({ path, isTest, imports }: Module): Violation[] {
  const page = pageOf(path);
  if (page === null || isTest) return [];
  return imports.flatMap(({ kind, to, line }) => {
    const there = kind === 'file' ? pageOf(to) : null;
    if (there === null || there === page) return [];
    const why = 'what two pages need has a room of its own beside ui/';
    return [{ path, line, what: `the page ${page} imports ${to}`, why }];
  });
}

function pageOf(path: string): string | null {
  return /^packages\/web\/src\/pages\/([^/]+)\//u.exec(path)?.[1] ?? null;
}
