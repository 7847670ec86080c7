import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, before, describe, it, test } from 'node:test';
import { askUntil } from '../../test/ask-until.ts';
import { fileEntries, listing, putFile, sha256 } from '../../test/files.ts';
import { openRelay, type Relay } from '../../test/relay.ts';
import { startS3, withoutS3 } from '../../test/s3-server.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';
import '../../test/one-engine.ts';

const KiB = 1024;

describe('uploads in progress', () => {
  let service: TestService;
  let creator: Persona;
  const open: Socket[] = [];
  before(async () => {
    service = await startService({
      role: 'serve',
      environment: {
        MAX_FILE_BYTES: '400k',
        MAX_VERSION_BYTES: '1m',
        ANONYMOUS_MAX_FILE_BYTES: '200k',
        ANONYMOUS_MAX_VERSION_BYTES: '450k',
      },
    });
    creator = await service.creator();
  });
  after(async () => {
    for (const socket of open) socket.destroy();
    await service.close();
  });

  /** Makes a new version and returns its upload links, one for each content. */
  async function linksFor(who: Pick<Persona, 'call'>, ...contents: string[]): Promise<string[]> {
    const files = Object.fromEntries(contents.map((content, at) => [`${at}.txt`, content]));
    const body = { fields: listing, files: fileEntries({ 'index.html': 'x', ...files }) };
    const { uploads } = (await who.call('POST', '/api/v1/hosting/versions', body)).json();
    return contents.map(
      (content) => uploads.find((one: { sha256: string }) => one.sha256 === sha256(content)).url,
    );
  }

  /** Begins an upload and sends one byte of it. */
  async function begin(link: string, bytes: number): Promise<Socket> {
    const url = new URL(link);
    const socket = connect(service.port, '127.0.0.1');
    socket.on('error', () => {});
    open.push(socket);
    await once(socket, 'connect');
    socket.write(
      `PUT ${url.pathname}${url.search} HTTP/1.1\r\nHost: ${url.host}\r\nContent-Length: ${bytes}\r\n\r\nx`,
    );
    return socket;
  }

  /**
   * Repeats the request until its answer is 429, or is not. The service notices the end of an upload late.
   */
  async function until(limited: boolean, ask: () => Promise<{ status: number }>) {
    return askUntil(ask, ({ status }) => (status === 429) === limited);
  }

  it('are limited to two for each link, and another is told to wait', async () => {
    const content = 'a'.repeat(50 * KiB);
    const [link = ''] = await linksFor(creator, content);
    const both = [await begin(link, content.length), await begin(link, content.length)];
    const wrong = () => service.get(link, { method: 'PUT', body: 'b' });
    const limited = await service.get(link, { method: 'PUT', body: 'b' });
    assert.equal((await until(true, wrong)).status, 429);
    assert.ok(limited.status === 422 || Number(limited.headers['retry-after']) > 0);
    for (const socket of both) socket.destroy();
    assert.equal((await until(false, () => putFile(service, link, content))).status, 200);
  });

  it('are limited for one publisher to the bytes of its largest version', async () => {
    for (const { who, bytes, fit } of [
      { who: creator, bytes: 400 * KiB, fit: 2 },
      { who: service.anonymous, bytes: 200 * KiB, fit: 2 },
    ]) {
      const [first, second] = [0, 1].map((version) =>
        Array.from({ length: fit }, (_, at) => `${version}${at}`.padEnd(bytes, '.')),
      ) as [string[], string[]];
      const sockets = await Promise.all((await linksFor(who, ...first)).map((link) => begin(link, bytes)));
      const [over = ''] = await linksFor(who, ...second);
      const wrong = () => service.get(over, { method: 'PUT', body: 'b' });
      await until(true, wrong);
      const refused = await wrong();
      assert.deepEqual([refused.status, refused.json().code], [429, 'rate_limited']);
      for (const socket of sockets) socket.destroy();
      const [content = ''] = second;
      assert.equal((await until(false, () => putFile(service, over, content))).status, 200);
    }
  });

  it('are cut when they are too slow', async () => {
    const content = 'c'.repeat(300 * KiB);
    const [link = ''] = await linksFor(creator, content);
    const socket = await begin(link, content.length);
    const drip = setInterval(() => socket.write('c'), 500);
    await new Promise((resolve) => socket.once('close', resolve));
    clearInterval(drip);
    assert.equal((await putFile(service, link, content)).status, 200);
  });
});

const megabyte = 1024 * 1024;

describe('an upload to an S3 store that hangs', { skip: await withoutS3() }, () => {
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

  test('is answered with 503, however long the rest of its body takes', async () => {
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
    // The store hangs in the middle of the first part.
    const frozen = relay.freezeAfter(4 * megabyte);
    // Sends more than one part and then stops: the rest never comes.
    socket.write(bytes.subarray(0, 6 * megabyte));
    let answer = '';
    socket.setEncoding('latin1').on('data', (text: string) => {
      answer += text;
    });
    await frozen;
    await new Promise((resolve) => socket.once('close', resolve));
    assert.match(answer, /^HTTP\/1\.1 503 /u);
    assert.match(answer, /retry-after: \d+/iu);
  });
});
