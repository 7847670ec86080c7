import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Header } from 'tar-stream';
import { hostingCodeOf } from '../../test/answers.ts';
import { formOf, formType, tarGzOf, tarOf, zipOf } from '../../test/archives.ts';
import { smallGame } from '../../test/files.ts';
import { oneCallSettings, oneCalls } from '../../test/one-call.ts';
import { startService, type TestService } from '../../test/service.ts';
import '../../test/one-engine.ts';

const KiB = 1024;

describe('an archive', () => {
  let service: TestService;
  before(async () => {
    service = await startService({ environment: oneCallSettings });
  });
  after(() => service.close());
  const { send } = oneCalls(() => service);

  const long = 'a/'.repeat(15 * KiB);
  for (const [what, pack, type] of [
    ['a zip', (name: string) => zipOf({ ...smallGame, [name]: 'x' }), 'application/zip'],
    ['a tar', (name: string) => tarOf({ ...smallGame, [name]: 'x' }), 'application/x-tar'],
    ['a form', (name: string) => formOf({ ...smallGame, [name]: 'x' }), formType],
  ] as const)
    it(`that is ${what} is refused for a name that is far too long`, async () => {
      const answer = await send(await pack(`${long}b.txt`), {}, { 'content-type': type });
      assert.deepEqual(hostingCodeOf(answer), [422, 'invalid_files'], answer.text());
      assert.deepEqual(answer.json().paths, [long.slice(0, 240)]);
      assert.match(answer.json().error, /is longer than 1024 characters/u);
      // Files that are left out may have names that are too long to be published.
      const kept = await send(await pack(`node_modules/${'a/'.repeat(400)}b`), {}, { 'content-type': type });
      assert.equal(kept.status, 201, kept.text());
    });

  const game = () => tarOf(smallGame);

  it('is refused for large headers before an entry', async () => {
    const global = paxOf('g', recordsOf(500 * KiB));
    const each = Array.from({ length: 1_000 }, () => paxOf('x', '6 a=b\n'));
    for (const headers of [
      [global, ...each],
      [paxOf('x', recordsOf(500 * KiB))],
      // Each is small, but the reader would take all of them in one turn.
      Array.from({ length: 1_000 }, () => paxOf('x', recordsOf(KiB))),
    ]) {
      const tar = Buffer.concat([...headers, await game()]);
      for (const body of [tar, gzipSync(tar)]) {
        const answer = await send(body);
        assert.deepEqual(hostingCodeOf(answer), [422, 'invalid_files'], answer.text());
        assert.match(answer.json().error, /over 65536 bytes of headers/u);
      }
    }
  });

  it('is refused for many records about an entry, also those for all entries', async () => {
    for (const headers of [
      [paxOf('x', recordsOf(4 * KiB))],
      [paxOf('g', recordsOf(4 * KiB)), paxOf('x', '6 a=b\n')],
    ]) {
      const answer = await send(Buffer.concat([...headers, await game()]));
      assert.deepEqual(hostingCodeOf(answer), [422, 'invalid_files'], answer.text());
      assert.match(answer.json().error, /more than 100 records/u);
    }
  });

  it('is published with headers for all entries and large files, and with zeros at its end', async () => {
    const attributes = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`SCHILY.${at}`, 'x']));
    const more: Header[] = [{ name: `${'b'.repeat(150)}.txt`, pax: attributes } as unknown as Header];
    const large = { ...smallGame, 'large.bin': Buffer.alloc(300 * KiB, 7), 'z/later.txt': 'x' };
    // As `git archive` begins, and as `tar -b 2048` ends.
    const head = paxOf('g', '52 comment=0123456789012345678901234567890123456789\n');
    const tar = Buffer.concat([head, await tarOf(large, more), Buffer.alloc(KiB * KiB)]);
    for (const body of [tar, gzipSync(tar), await tarGzOf(large)])
      assert.equal((await send(body)).status, 201);
  });
});

/** Returns records of a pax header, with this size or a few bytes less. */
function recordsOf(bytes: number): string {
  let records = '';
  for (let at = 0; records.length < bytes - 20; at++) records += `11 k${String(at).padStart(5, '0')}=\n`;
  return records;
}

/** Returns a header of tar's extended form: `x` is for the next entry, `g` for all. */
function paxOf(type: 'x' | 'g', records: string): Buffer {
  const block = Buffer.alloc(512);
  block.write('pax', 0);
  block.write(`${records.length.toString(8).padStart(11, '0')}\0`, 124);
  block.write(`        ${type}`, 148);
  block.write('ustar\u000000', 257);
  const sum = block.reduce((all, byte) => all + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return Buffer.concat([block, Buffer.from(records), Buffer.alloc((512 - (records.length % 512)) % 512)]);
}
