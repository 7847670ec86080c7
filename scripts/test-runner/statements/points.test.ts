import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { withPoints } from './points.ts';

/** Runs a module with its points. Returns the names of the points that were reached, sorted. */
async function reachedBy(source: string, use: string): Promise<string[]> {
  const { code, points } = withPoints(source, 'reached');
  const whole = `const all = new Set(); const reached = (point) => all.add(point);
    const prepared = (build) => () => build({ ask: String });${code}
    await (async () => { ${use} })(); export const numbers = [...all];`;
  const { numbers }: { numbers: number[] } = await import(
    `data:text/javascript,${encodeURIComponent(whole)}`
  );
  return numbers.map((number) => points[number]?.name ?? '?').sort();
}

const source = `const ask = (text: string): string => String(text);
export function find(id: number | null): string {
  if (id === null) return '';
  const what = id > 5 ? ask('large') : ask('small');
  return id > 8 && ask('larger') || what;
}
export const list = prepared((db) => db.ask('list'));
export const nothing = () => 7;
`;

describe('the points of a file of queries', () => {
  it('are functions and branches that make a call, and are recorded when they run', async () => {
    assert.deepEqual(await reachedBy(source, 'find(null);'), ['find']);
    assert.deepEqual(await reachedBy(source, 'find(1);'), ['ask', 'find', 'find/2']);
    assert.deepEqual(await reachedBy(source, 'find(6);'), ['ask', 'find', 'find/1']);
    assert.deepEqual(await reachedBy(source, 'find(9);'), ['ask', 'find', 'find/1', 'find/3']);
    assert.deepEqual(await reachedBy(source, 'nothing();'), []);
  });

  it('are recorded for a prepared statement only when it is built', async () => {
    const built = await reachedBy(source, 'list();');
    assert.ok(built.includes('list'), String(built));
    assert.ok(!(await reachedBy(source, '')).includes('list'));
  });

  it('are added without moving a line', () => {
    const { code, points } = withPoints(source, 'reached');
    assert.equal(code.split('\n').length, source.split('\n').length);
    assert.deepEqual(points.find(({ name }) => name === 'find/2')?.line, 4);
  });
});
