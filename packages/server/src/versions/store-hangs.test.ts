import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { fileEntries, listing } from '../../test/files.ts';
import { openRelay, type Relay } from '../../test/relay.ts';
import { startS3 } from '../../test/s3-server.ts';
import { startService, type TestService } from '../../test/service.ts';

const megabyte = 1024 * 1024;

describe('an upload to an S3 store that hangs', () => {
  let s3: Awaited<ReturnType<typeof startS3>>;
  let relay: Relay;
  let service: TestService;
  before(async () => {
    s3 = await startS3();
    const endpoint = new URL(s3.url).searchParams.get('endpoint') ?? '';
    relay = await openRelay(endpoint);
    const environment = { BLOB_STORE: s3.url.replace(endpoint, relay.url.replace(/\/$/u, '')) };
    service = await startService({ environment });
  });
  after(async () => {
    relay.thaw();
    await service.close();
    await relay.close();
    await s3.stop();
  });

  test('is answered 503, however long the rest of it takes to come', async () => {
    const bytes = randomBytes(12 * megabyte);
    const creator = await service.creator();
    const created = await creator.call('POST', '/api/v1/hosting/versions', {
      fields: listing,
      files: fileEntries({ 'index.html': bytes }),
    });
    assert.equal(created.status, 201, created.text());
    const { host, pathname, search } = new URL(created.json().uploads[0].url);
    const socket = connect(service.port, '127.0.0.1');
    socket.write(
      `PUT ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\nContent-Length: ${bytes.length}\r\n\r\n`,
    );
    // More than a part, and no more than that: what comes next never does.
    socket.write(bytes.subarray(0, 6 * megabyte));
    let answer = '';
    socket.setEncoding('latin1').on('data', (text: string) => {
      answer += text;
    });
    await relay.carried(4 * megabyte);
    relay.freeze();
    await new Promise((resolve) => socket.once('close', resolve));
    assert.match(answer, /^HTTP\/1\.1 503 /u);
    assert.match(answer, /retry-after: \d+/iu);
  });
});
