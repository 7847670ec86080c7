import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { onlyOnSqlite } from './collect.ts';
import type { Reached } from './places.ts';

const path = 'packages/server/src/boards/boards.queries.ts';
const pointsOf = new Map([
  [
    path,
    [
      { name: 'findBoards', line: 3 },
      { name: 'findBoards/1', line: 5 },
      { name: 'keptRuns', line: 9 },
    ],
  ],
]);
const note = (file: string, engine: string, points: number[]): Reached => ({
  file,
  engine,
  points: { [path]: points },
});
const excused = { [`${path} keptRuns`]: 'only there' };

describe('statements on SQLite', () => {
  it('are accepted when any file runs them on PostgreSQL too', () => {
    const notes = [
      note('a.test.ts', 'sqlite', [0, 1]),
      note('b.test.ts', 'postgres', [0]),
      note('c.test.ts', 'postgres', [1]),
    ];
    assert.deepEqual(onlyOnSqlite(notes, pointsOf, excused), []);
  });

  it('are reported when no file runs them on PostgreSQL, with the file that ran them', () => {
    const notes = [note('a.test.ts', 'sqlite', [0, 1]), note('a.test.ts', 'postgres', [0])];
    assert.deepEqual(onlyOnSqlite(notes, pointsOf, excused), [`${path}:5 findBoards/1, by a.test.ts`]);
  });

  it('are reported when only the sweep over all operations runs them on PostgreSQL', () => {
    const sweep = 'packages/server/test/every-operation.test.ts';
    const notes = [note('a.test.ts', 'sqlite', [0]), note(sweep, 'postgres', [0])];
    assert.deepEqual(onlyOnSqlite(notes, pointsOf, excused), [`${path}:3 findBoards, by a.test.ts`]);
  });

  it('are accepted when they are listed as SQLite’s alone, with the reason', () => {
    assert.deepEqual(onlyOnSqlite([note('a.test.ts', 'sqlite', [2])], pointsOf, excused), []);
  });
});
