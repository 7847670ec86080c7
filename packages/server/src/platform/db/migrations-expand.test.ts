import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { newestRelease } from '../../../test/newest-release.ts';
import { migrationNames } from './migrate.ts';
import { oldestKnown } from './oldest-program.ts';

/** Changes that break statements of the previous version, each with its name in the message. */
const contractions: readonly (readonly [RegExp, string])[] = [
  [/\.(?:dropTable|dropColumn|renameTo|renameColumn|setSchema)\(/u, 'drops or renames'],
  [/\.(?:setNotNull|addUniqueConstraint|addCheckConstraint|setDataType)\(/u, 'refuses what was allowed'],
  [/\b(?:drop|rename)\s+(?:table|column|to)\b/iu, 'drops or renames'],
];

/** Returns what would break nodes of the previous version; empty if the migration only expands. */
function contractionsIn(source: string): string[] {
  const found = contractions.flatMap(([pattern, said]) => (pattern.test(source) ? [said] : []));
  for (const altered of source.split(/\.alterTable\(/u).slice(1)) {
    const statement = altered.split('.execute()')[0] ?? '';
    for (const column of statement.split(/\.addColumn\(/u).slice(1))
      if (/\.notNull\(\)/u.test(column) && !/\.defaultTo\(/u.test(column))
        found.push('adds a column that old inserts leave out');
  }
  return [...new Set(found)];
}

const sourceOf = (name: string) => readFileSync(new URL(`./migrations/${name}.ts`, import.meta.url), 'utf8');

describe('migrations', () => {
  it('only expand the schema after a release', () => {
    const { lastMigration } = newestRelease;
    const from = migrationNames.indexOf(lastMigration) + 1;
    assert.ok(from > 0, `${lastMigration} is no migration`);
    for (const name of migrationNames.slice(from)) assert.deepEqual(contractionsIn(sourceOf(name)), [], name);
  });

  it('of the newest release are those that other programs on the database must know', () => {
    assert.equal(oldestKnown, newestRelease.lastMigration);
  });

  it('are classified as expanding or not', () => {
    assert.deepEqual(contractionsIn(sourceOf('0044-domains')), []);
    assert.deepEqual(contractionsIn(sourceOf('0042-first-files')), []);
    assert.deepEqual(contractionsIn(sourceOf('0028-search')), ['drops or renames']);
    const bare = `db.schema.alterTable('a').addColumn('b', 'text', (column) => column.notNull()).execute()`;
    assert.deepEqual(contractionsIn(bare), ['adds a column that old inserts leave out']);
    assert.deepEqual(contractionsIn(bare.replace('notNull()', `notNull().defaultTo('')`)), []);
    assert.deepEqual(contractionsIn('sql`alter table a drop column b`'), ['drops or renames']);
  });
});
