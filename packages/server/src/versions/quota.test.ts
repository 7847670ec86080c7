import assert from 'node:assert/strict';
import { it } from 'node:test';
import { fileEntries, listing, publishFiles, putFile, sha256 } from '../../test/files.ts';
import { startService } from '../../test/service.ts';

it('the files of an account are counted once, and what is over its quota is told what uses it', async () => {
  const service = await startService({ role: 'serve', environment: { ACCOUNT_MAX_BYTES: '500k' } });
  try {
    const creator = await service.creator();
    const file = (letter: string) => letter.repeat(200 * 1024);
    const { space } = await publishFiles(creator, { 'index.html': file('a') });
    const create = (letter: string, more: object = {}) =>
      creator.call('POST', '/api/v1/hosting/versions', {
        space: space.slug,
        files: fileEntries({ 'index.html': file('a'), 'b.txt': file(letter), 'again.txt': file(letter) }),
        ...more,
      });
    const second = await create('b');
    assert.equal(second.status, 201, second.text());
    // Created before the second's file came: it had room then.
    const third = await create('c');
    assert.equal(third.status, 201, third.text());
    const [upload] = second.json().uploads;
    assert.equal(upload.sha256, sha256(file('b')));
    assert.equal((await putFile(service, upload.url, file('b'))).status, 200);
    const late = await putFile(service, third.json().uploads[0].url, file('c'));
    assert.deepEqual([late.status, late.json().code], [413, 'too_large']);
    for (const more of [{}, { dryRun: true }]) {
      const refused = await create('d', more);
      assert.equal(refused.status, 413, refused.text());
      const { code, maxBytes, usedBytes, newBytes, spaces } = refused.json();
      assert.deepEqual(
        [code, maxBytes, usedBytes, newBytes],
        ['too_large', 500 * 1024, 400 * 1024, 200 * 1024],
      );
      assert.equal(spaces[0].slug, space.slug);
      assert.ok(refused.json().error.includes(`«${space.slug}»`));
    }
    assert.equal((await create('b')).status, 201, 'what is there adds nothing');
    const other = await service.creator();
    const fields = { fields: listing, files: fileEntries({ 'index.html': file('d') }) };
    assert.equal((await other.call('POST', '/api/v1/hosting/versions', fields)).status, 201);
  } finally {
    await service.close();
  }
});
