/** A table named in a query of the query builder, as `insertInto('spaces')` names it. */
export interface TableUse {
  readonly table: string;
  readonly writes: boolean;
  /** Line of the name, from 1. */
  readonly line: number;
}

const naming =
  /\.(?<verb>selectFrom|insertInto|updateTable|deleteFrom|innerJoin|leftJoin|rightJoin|fullJoin|crossJoin|using)\(\s*['"](?<table>[a-z_]+)/gu;
/** Matches names of common table expressions: `.with('runs', …)`, or `.with((name) => name('runs')…`. */
const given = /\.with(?:Recursive)?\(\s*(?:\(name\) => name\()?['"](?<name>[a-z_]+)/gu;
const reads = new Set(['selectFrom', 'innerJoin', 'leftJoin', 'rightJoin', 'fullJoin', 'crossJoin', 'using']);

/**
 * Returns the tables that a source's queries name. A pattern is enough, because a formatter has laid out the
 * code.
 */
export function tablesOf(source: string): TableUse[] {
  const own = new Set([...source.matchAll(given)].map((match) => match.groups?.name));
  return [...source.matchAll(naming)].flatMap((match) => {
    const { verb = '', table = '' } = match.groups ?? {};
    if (own.has(table)) return [];
    const line = source.slice(0, match.index + match[0].length).split('\n').length;
    return [{ table, writes: !reads.has(verb), line }];
  });
}

/** Returns the line of the first statement, in the query builder or as text; null if there is none. */
export function firstStatement(source: string): number | null {
  const match =
    /\bsql(?:<[^`\n]*>)?`|\bsql\.(?:lit|ref|raw)\(|\.(?:selectFrom|insertInto|updateTable|deleteFrom|executeTakeFirst|executeTakeFirstOrThrow)\(|\.execute\(\)/u.exec(
      source,
    );
  return match ? source.slice(0, match.index).split('\n').length : null;
}
