import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { startService, type TestService } from '../../test/service.ts';
import { timeless } from '../../test/timeless.ts';
import { signUp } from '../../test/visitor.ts';
import '../../test/one-engine.ts';

describe('a compressed document', () => {
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(() => service?.close());

  const read = (path: string, accepts: string) =>
    service.get(`${service.baseUrl}${path}`, { headers: { 'accept-encoding': accepts } });

  it('is sent in a coding that the client accepts', async () => {
    const plain = (await read('/', 'identity')).text();
    for (const [accepts, coding, decode] of [
      ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
      ['gzip', 'gzip', gunzipSync],
      ['br;q=0, gzip;q=0.5', 'gzip', gunzipSync],
    ] as const) {
      const { headers, body } = await read('/', accepts);
      assert.deepEqual([headers['content-encoding'], headers.vary], [coding, 'accept-encoding']);
      assert.equal(timeless(decode(body).toString()), timeless(plain));
      assert.ok(body.length < plain.length / 2);
    }
    assert.equal((await read('/', 'identity')).headers['content-encoding'], undefined);
  });

  it('is sent uncompressed when it contains personal data', async () => {
    const viewer = await signUp(service, { handle: 'ada' });
    const accepts = { 'accept-encoding': 'br' };
    assert.equal((await viewer.get('/', accepts)).headers['content-encoding'], undefined);
    assert.equal((await viewer.get('/settings', accepts)).headers['content-encoding'], undefined);
    assert.equal((await read('/reset?token=secret', 'br')).headers['content-encoding'], undefined);
    assert.equal((await viewer.get('/docs/api', accepts)).headers['content-encoding'], 'br');
  });
});
