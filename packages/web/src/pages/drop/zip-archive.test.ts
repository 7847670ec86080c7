import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BlobWriter, TextReader, ZipWriter } from '@zip.js/zip.js';
import { openZip } from './zip-archive.ts';

async function zipOf(files: Record<string, string>, options: { password?: string; level?: number } = {}) {
  const writer = new ZipWriter(new BlobWriter(), { useWebWorkers: false });
  for (const [path, text] of Object.entries(files)) await writer.add(path, new TextReader(text), options);
  return new File([await writer.close()], 'game.zip');
}
const long = 'moon '.repeat(100_000);

for (const level of [0, 9]) {
  test(`lists and inflates the files of a zip (level ${level})`, async () => {
    const zip = await openZip(
      await zipOf({ 'game/index.html': '<h1>Hi</h1>', 'game/long.txt': long }, { level }),
    );
    assert.deepEqual(zip.files, [
      { path: 'game/index.html', size: 11 },
      { path: 'game/long.txt', size: long.length },
    ]);
    const pieces: Uint8Array[] = [];
    await zip.inflate('game/long.txt', (piece) => void pieces.push(piece));
    assert.equal(Buffer.concat(pieces).toString(), long);
    assert.equal(await (await zip.read('game/index.html')).text(), '<h1>Hi</h1>');
  });
}

test('a file that is no zip, an encrypted zip and a broken zip are each refused with a message', async () => {
  await assert.rejects(
    openZip(new File(['hello'], 'game.zip')),
    /^Error: game\.zip cannot be read as a zip: /u,
  );
  await assert.rejects(openZip(await zipOf({ 'a.txt': 'a' }, { password: 'x' })), /locked with a password/u);
  const whole = new Uint8Array(await (await zipOf({ 'a.txt': long }, { level: 0 })).arrayBuffer());
  whole[5_000] = 1;
  const broken = await openZip(new File([whole], 'game.zip'));
  await assert.rejects(
    broken.inflate('a.txt', () => {}),
    /^Error: a\.txt in game\.zip is broken: .* Make the zip again\.$/u,
  );
});
