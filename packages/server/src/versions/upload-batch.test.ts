import assert from 'node:assert/strict';
import { rename } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { askUntil } from '../../test/ask-until.ts';
import { fileEntries, listing, putFile, sha256 } from '../../test/files.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';

const onFolder =
  process.env.TEST_ENGINE === 'postgres'
    ? 'the store of this run is not a folder that could be moved away'
    : false;

describe('uploading several files in one request', () => {
  let service: TestService;
  let creator: Persona;
  before(async () => {
    service = await startService({ environment: { BODY_MEMORY_BYTES: '16m' } });
    creator = await service.creator();
  });
  after(() => service.close());

  async function created(...contents: string[]) {
    const files = Object.fromEntries(contents.map((content, at) => [`${at}.txt`, content]));
    const answer = await creator.call('POST', '/api/v1/hosting/versions', {
      fields: listing,
      files: fileEntries({ 'index.html': contents[0] ?? '', ...files }),
    });
    assert.equal(answer.status, 201, answer.text());
    const { version, uploads, batch } = answer.json();
    const urls = new Map<string, string>(
      uploads.map(({ sha256: hash, url }: { sha256: string; url: string }) => [hash, url]),
    );
    const url = (content: string) => urls.get(sha256(content)) ?? '';
    return {
      id: version.id as string,
      batch: batch as { url: string; maxFileBytes: number },
      url,
      part: (content: string) => `${url(content)}\n${content}`,
    };
  }

  const send = (url: string, body: string, headers: Record<string, string> = {}) =>
    service.get(url, {
      method: 'POST',
      body,
      headers: { 'content-length': String(Buffer.byteLength(body)), ...headers },
    });

  async function missing(id: string): Promise<string[]> {
    const { uploads } = await creator.client.freshUploads({ params: { id } });
    return uploads.map(({ sha256: hash }) => hash).toSorted();
  }

  async function keptKeys(): Promise<string[]> {
    const keys = [];
    for await (const { key } of service.service.platform.store.list()) keys.push(key);
    return keys.toSorted();
  }

  it('stores all of them, also when they are sent again, and the version can be finished', async () => {
    const large = 'l'.repeat(100_000);
    const contents = ['first', '', large, 'line\nline\n'];
    const { id, batch, part } = await created(...contents);
    for (let times = 0; times < 2; times++) {
      const answer = await send(batch.url, contents.map(part).join(''));
      assert.equal(answer.status, 200, answer.text());
      assert.deepEqual(
        answer.json().files,
        contents.map((content) => ({ sha256: sha256(content), size: content.length })),
      );
    }
    assert.deepEqual(await missing(id), []);
    const finished = await creator.client.finishVersion({ params: { id }, body: { preview: true } });
    assert.equal(finished.status, 'preview');
  });

  it('takes links without their origin, chunks without a length, and a body without files', async () => {
    const { batch, url } = await created('relative');
    const { pathname, search } = new URL(url('relative'));
    const chunked = await service.get(batch.url, {
      method: 'POST',
      body: `${pathname}${search}\nrelative`,
      headers: { 'transfer-encoding': 'chunked' },
    });
    assert.equal(chunked.status, 200, chunked.text());
    const none = await send(batch.url, '');
    assert.deepEqual([none.status, none.json()], [200, { files: [] }]);
  });

  it('is offered with fresh links too', async () => {
    const { id, batch } = await created('again');
    const answer = await creator.client.freshUploads({ params: { id } });
    assert.deepEqual(answer.batch, batch);
  });

  it('stores more than may wait for the disk at once', async () => {
    const contents = Array.from({ length: 150 }, (_, at) => `${at} `.repeat(2_000));
    const { id, batch, part } = await created(...contents);
    const answer = await send(batch.url, contents.map(part).join(''));
    assert.equal(answer.status, 200, answer.text());
    assert.deepEqual(await missing(id), []);
  });

  it('ends with the error of the first refused file, and keeps those before it', async () => {
    const { id, batch, part, url } = await created('kept', 'declared');
    const leaking = `token = "${creator.token}"`;
    const leak = await created(leaking);
    const tooLarge = 'x'.repeat(batch.maxFileBytes + 1);
    const large = await created(tooLarge);
    const changed = url('declared').replace(/size=\d+/u, 'size=9');
    const refused: [body: string, status: number, code: string][] = [
      [`${url('declared')}\nanything`, 422, 'invalid_files'],
      [`${url('declared')}\nshort`, 422, 'invalid_files'],
      [leak.part(leaking), 422, 'invalid_files'],
      [large.part(tooLarge), 413, 'too_large'],
      [`${changed}\ndeclared`, 403, 'link_expired'],
      ['no link\nat all', 403, 'link_expired'],
      [url('declared'), 403, 'link_expired'],
      ['a'.repeat(5_000), 403, 'link_expired'],
    ];
    for (const [body, status, code] of refused) {
      const answer = await send(batch.url, `${part('kept')}${body}`);
      assert.deepEqual([answer.status, answer.json().code], [status, code], body.slice(0, 300));
    }
    assert.deepEqual(await missing(id), [sha256('declared')]);
    service.clock.advance({ seconds: 7_201 });
    const late = await send(batch.url, part('declared'));
    assert.deepEqual([late.status, late.json().code], [403, 'link_expired']);
  });

  it('keeps what came before the client disconnected, and nothing of the rest', async () => {
    const half = 'h'.repeat(5_000);
    const { id, batch, part, url } = await created('whole', half);
    // The files of the preview above are still being packed, and that keeps more.
    await service.settle();
    const before = await keptKeys();
    const { host, pathname } = new URL(batch.url);
    const socket = connect(service.port, '127.0.0.1');
    socket.write(`POST ${pathname} HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 90000\r\n\r\n`);
    socket.write(`${part('whole')}${url(half)}\nhalf of it`);
    await askUntil(
      () => missing(id),
      (hashes) => !hashes.includes(sha256('whole')),
    );
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.destroy();
    await closed;
    assert.equal((await service.get(`${service.baseUrl}/healthz`)).status, 200);
    const added = (await keptKeys()).filter((key) => !before.includes(key));
    assert.deepEqual(
      added.map((key) => key.slice(0, 64)),
      [sha256('whole')],
    );
    assert.equal((await send(batch.url, part(half))).status, 200);
  });

  /** Begins uploads and sends one byte of each. */
  function begin(links: readonly string[], bytes: number) {
    const sockets = links.map((link) => {
      const { host, pathname, search } = new URL(link);
      const socket = connect(service.port, '127.0.0.1').on('error', () => {});
      socket.write(`PUT ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\nContent-Length: ${bytes}\r\n\r\nx`);
      return socket;
    });
    return () => {
      for (const socket of sockets) socket.destroy();
    };
  }

  it('is told to wait while one of its files is being sent twice already', async () => {
    const content = 'w'.repeat(50_000);
    const { batch, part, url } = await created(content);
    const end = begin([url(content), url(content)], content.length);
    const wrong = () => send(batch.url, `${url(content)}\nwrong`);
    const limited = await askUntil(wrong, ({ status }) => status === 429);
    assert.equal(limited.json().code, 'rate_limited');
    end();
    await askUntil(
      () => send(batch.url, part(content)),
      ({ status }) => status === 200,
    );
  });

  it('is told to wait while there is no memory for its files', async () => {
    const contents = Array.from({ length: 40 }, (_, at) => `${at}`.padEnd(128 * 1024, '.'));
    const { batch, part, url } = await created('small', ...contents);
    const end = begin(contents.map(url), 128 * 1024);
    const wrong = () => send(batch.url, `${url(contents[39] ?? '')}\nwrong`);
    const limited = await askUntil(wrong, ({ status }) => status === 503);
    assert.equal(limited.json().code, 'hosting_unavailable');
    end();
    await askUntil(
      () => send(batch.url, part(contents[39] ?? '')),
      ({ status }) => status === 200,
    );
  });

  it('is answered 503 while the store is unavailable', { skip: onFolder }, async () => {
    const { batch, part, url } = await created('stored later', 'and this');
    const body = `${part('stored later')}${part('and this')}`;
    const blobs = join(service.environment.DATA_DIR ?? '', 'blobs');
    await rename(blobs, `${blobs}-away`);
    const answer = await send(batch.url, body);
    await rename(`${blobs}-away`, blobs);
    assert.deepEqual([answer.status, answer.json().code], [503, 'hosting_unavailable']);
    assert.equal((await send(batch.url, body)).status, 200);
    assert.equal((await putFile(service, url('and this'), 'and this')).status, 200);
  });
});
