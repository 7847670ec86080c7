import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { type CompiledCode, readCodeCache, writeCodeCache } from './code-cache.ts';

describe('a file of compiled code', () => {
  const folder = mkdtempSync(join(tmpdir(), 'spaceport-code-'));
  const path = join(folder, 'code');
  after(() => rmSync(folder, { recursive: true }));

  const entries = new Map<string, CompiledCode>(
    [3, 0, 5_000].map((bytes, at) => [
      `${at}.cjs`,
      { textChecksum: 2 ** 32 - 1 - at, code: new Uint8Array(bytes).fill(at + 1) },
    ]),
  );

  it('gives back what was written, each at a multiple of eight bytes', () => {
    writeCodeCache(path, () => entries);
    const read = readCodeCache(path)?.entries ?? new Map<string, CompiledCode>();
    assert.deepEqual([...read.keys()], [...entries.keys()]);
    for (const [name, { textChecksum, code }] of read) {
      assert.equal(textChecksum, entries.get(name)?.textChecksum);
      assert.deepEqual([...code], [...(entries.get(name)?.code ?? [])]);
      assert.equal(code.byteOffset % 8, 0);
    }
  });

  it('is not read if it is absent, cut off or changed', () => {
    assert.equal(readCodeCache(join(folder, 'absent')), null);
    writeCodeCache(path, () => entries);
    const whole = readFileSync(path);
    for (let at = 0; at < whole.length; at += 97) {
      writeFileSync(path, whole.subarray(0, at));
      assert.equal(readCodeCache(path), null, `cut off at ${at}`);
      const changed = Buffer.from(whole);
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
      writeFileSync(path, changed);
      assert.equal(readCodeCache(path), null, `changed at ${at}`);
    }
  });

  it('is written as a whole or not at all', () => {
    writeCodeCache(path, () => entries);
    assert.throws(() =>
      writeCodeCache(path, () => {
        throw new Error('no code');
      }),
    );
    assert.deepEqual(readdirSync(folder), ['code']);
    assert.equal(readCodeCache(path)?.entries.size, entries.size);
    assert.throws(() => writeCodeCache(join(path, 'below'), () => entries));
  });
});
