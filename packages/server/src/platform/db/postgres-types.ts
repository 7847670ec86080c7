import pg from 'pg';

const bigintType = 20;
const numericType = 1700;

/** Parses int8 and numeric as numbers: our integers are below 2^53. */
export function parserFor(type: number, format?: 'text' | 'binary'): (value: string) => unknown {
  if (type === bigintType || type === numericType) return Number;
  return pg.types.getTypeParser(type, format as 'text') as (value: string) => unknown;
}
