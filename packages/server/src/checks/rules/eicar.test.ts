import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { judge } from './checked-files.fixture.ts';
import { eicar } from './eicar.ts';

const testFile = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('');

test('the EICAR test file is refused, bare, with white space after it, and compressed', async () => {
  for (const content of [
    testFile,
    `${testFile}\r\n`,
    `${testFile}${' '.repeat(59)}\x1a`,
    gzipSync(testFile),
  ]) {
    assert.equal((await judge(eicar, 'a.txt', content))?.severity, 'refuse');
  }
});

test('a file that only contains the string is let through', async () => {
  for (const content of [
    ` ${testFile}`,
    `${testFile}x`,
    `${testFile}${' '.repeat(61)}`,
    testFile.slice(0, -1),
  ]) {
    assert.equal(await judge(eicar, 'a.txt', content), null);
  }
});
