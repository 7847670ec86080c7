import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errorsOf } from '@spaceport/contract/operation';
import { operations } from '@spaceport/contract/operations';

/** Collects the error codes that each operation has answered in the tests. Tests append to `file`. */
export function collectCodes(): { file: string; report(): boolean; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'spaceport-codes-'));
  const file = join(folder, 'codes');
  writeFileSync(file, '');
  return {
    file,
    /**
     * Prints the codes that an operation promises and no test has produced. Returns whether there are none.
     */
    report() {
      const produced = new Set(readFileSync(file, 'utf8').split('\n'));
      const missing = operations
        .map((operation) => ({ id: operation.id, codes: errorsOf(operation) }))
        .map(({ id, codes }) => ({ id, codes: codes.filter((code) => !produced.has(`${id} ${code}`)) }))
        .filter(({ codes }) => codes.length > 0);
      if (missing.length === 0) return true;
      console.log('\nError codes that no test has produced:');
      for (const { id, codes } of missing) console.log(`  ${id}: ${codes.join(', ')}`);
      return false;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
