import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { hashFiles } from '../bin/hash-files.mjs';

describe('the hash of the sources', () => {
  let root: string;
  let stamp: string;
  const write = (name: string, text: string) => writeFileSync(join(root, 'src', name), text);
  const name = (settledMs?: number) => hashFiles(root, ['src'], stamp, settledMs);
  /** With this value, every change counts as made long ago. */
  const settled = -60_000;

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'spaceport-hash-'));
    stamp = join(root, 'stamp');
    mkdirSync(join(root, 'src'));
    write('a.ts', 'one');
    write('b.ts', 'two');
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it('is taken from the stamp as long as no file has changed', () => {
    const first = name(settled);
    assert.equal(name(), first);
    // No sources have this hash, so the answer shows that the stamp was used.
    const [look] = readParts(stamp);
    writeFileSync(stamp, `${look} 0123456789abcdef`);
    assert.equal(name(), '0123456789abcdef');
  });

  it('changes after any change, even one that keeps length and date', () => {
    const file = join(root, 'src/a.ts');
    const at = new Date(1_700_000_000_000);
    utimesSync(file, at, at);
    const first = name(settled);
    const { ctimeMs } = statSync(file);
    // Writes until the clock of the file system has ticked.
    while (statSync(file).ctimeMs === ctimeMs) {
      write('a.ts', 'eno');
      utimesSync(file, at, at);
    }
    const second = name(settled);
    assert.notEqual(second, first);
    write('c.ts', '');
    assert.notEqual(name(settled), second);
    write('a.ts', 'one');
    rmSync(join(root, 'src/c.ts'));
    assert.equal(name(settled), first);
  });

  it('is not stamped while files are so new that another change could look the same', () => {
    name(3_600_000);
    assert.ok(!existsSync(stamp));
  });

  it('is computed anew when the stamp is missing or damaged', () => {
    const first = name(settled);
    const [look] = readParts(stamp);
    for (const broken of ['', 'x', `${look}`, `${look} 0123`]) {
      writeFileSync(stamp, broken);
      assert.equal(name(), first);
    }
    assert.equal(hashFiles(root, ['src'], join(root, 'nowhere/stamp'), settled), first);
  });
});

function readParts(stamp: string): string[] {
  return readFileSync(stamp, 'utf8').split(' ');
}
