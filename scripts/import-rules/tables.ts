import type { Module } from './module.ts';
import { owners, reading, writing } from './table-owners.ts';
import type { Violation } from './violation.ts';

/** Checks that only a table's room writes it, and that statements are in `*.queries.ts` files. */
export function checkTables({ path, part, isTest, tables, firstStatement }: Module): Violation[] {
  if (isTest || part === null || part.kind === 'platform') return [];
  if (part.kind === 'root') return checkPlace(path, firstStatement);
  const uses = tables.flatMap(({ table, writes, line }): Violation[] => {
    const owner = owners.get(table);
    const at = { path, line };
    if (owner === undefined)
      return [{ ...at, what: `names the table ${table}`, why: 'no room has it: add it to table-owners.ts' }];
    if (owner === part.name || (writes ? writing : reading)[part.name]?.[table] !== undefined) return [];
    if (!writes && writing[part.name]?.[table] !== undefined) return [];
    const what = `${part.name} ${writes ? 'writes' : 'reads'} ${table}, a table of ${owner}`;
    return [{ ...at, what, why: `ask a function of ${owner}, or say in table-owners.ts why not` }];
  });
  return [...uses, ...checkPlace(path, firstStatement)];
}

function checkPlace(path: string, statement: number | null): Violation[] {
  if (path.endsWith('.queries.ts') || statement === null) return [];
  return [{ path, line: statement, what: 'has SQL', why: 'statements stand in *.queries.ts of their room' }];
}

/** The file of a room that offers its queries to other rooms, if it does not have the room's name. */
const doors: Readonly<Record<string, string>> = { listing: 'blocked.ts' };

/**
 * Checks that a room's queries are imported by other rooms only through its main module. Row types are free.
 */
export function checkDoors({ path, part, isTest, imports }: Module): Violation[] {
  if (part?.kind !== 'feature' || isTest) return [];
  const { name } = part;
  const door = `packages/server/src/${name}/${doors[name] ?? `${name}.ts`}`;
  return imports.flatMap(({ exports, clause, to, line }) => {
    if (!exports || clause.startsWith('type ') || !to.endsWith('.queries.ts') || path === door) return [];
    return [{ path, line, what: `offers queries of ${name}`, why: `only ${door} may` }];
  });
}
