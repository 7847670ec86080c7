import assert from 'node:assert/strict';
import { rename } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { hostingCodeOf } from '../../test/answers.ts';
import { fileEntries, listing, publishFiles, putFile, sha256, smallGame } from '../../test/files.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';

const onFolder =
  process.env.TEST_ENGINE === 'postgres'
    ? 'the store of this run is not a folder that could be moved away'
    : false;

describe('uploading a file', () => {
  let service: TestService;
  let creator: Persona;
  before(async () => {
    service = await startService();
    creator = await service.creator();
  });
  after(() => service.close());

  async function created(files: Record<string, string>) {
    const answer = await creator.call('POST', '/api/v1/hosting/versions', {
      fields: listing,
      files: fileEntries(files),
    });
    assert.equal(answer.status, 201, answer.text());
    const { version, uploads } = answer.json();
    const urls = new Map<string, string>(
      uploads.map(({ sha256: hash, url }: { sha256: string; url: string }) => [hash, url]),
    );
    return { id: version.id as string, urlOf: (content: string) => urls.get(sha256(content)) ?? '' };
  }

  async function keptKeys(): Promise<string[]> {
    const keys = [];
    for await (const { key } of service.service.platform.store.list()) keys.push(key);
    return keys;
  }

  it('returns the hash and size, and the same again when it is repeated', async () => {
    const { urlOf } = await created({ 'index.html': 'hello upload' });
    for (let times = 0; times < 2; times++) {
      const answer = await putFile(service, urlOf('hello upload'), 'hello upload');
      assert.equal(answer.status, 200, answer.text());
      assert.deepEqual(answer.json(), { sha256: sha256('hello upload'), size: 12 });
    }
  });

  it('keeps the bytes of a file whose commit was made, and whose result was lost', async (t) => {
    const { urlOf } = await created({ 'index.html': 'a lost result' });
    const { database } = service.service.platform;
    const commit = database.transaction.bind(database);
    const losing: typeof database.transaction = async (work) => {
      await commit(work);
      throw new Error('the connection was lost');
    };
    t.mock.method(database, 'transaction', losing, { times: 1 });
    const lost = await putFile(service, urlOf('a lost result'), 'a lost result');
    assert.deepEqual(hostingCodeOf(lost), [500, 'server_error']);
    const row = await database.db
      .selectFrom('blobs')
      .select('key')
      .where('hash', '=', sha256('a lost result'))
      .executeTakeFirstOrThrow();
    assert.ok((await keptKeys()).includes(row.key));
    assert.equal((await putFile(service, urlOf('a lost result'), 'a lost result')).status, 200);
    assert.ok((await keptKeys()).includes(row.key));
  });

  it('accepts an empty file, and one sent in chunks without a length', async () => {
    const { urlOf } = await created({ 'index.html': 'chunked body', 'empty.txt': '' });
    assert.equal((await putFile(service, urlOf(''), '')).status, 200);
    const answer = await service.get(urlOf('chunked body'), {
      method: 'PUT',
      body: 'chunked body',
      headers: { 'transfer-encoding': 'chunked' },
    });
    assert.equal(answer.status, 200, answer.text());
  });

  it('stores nothing of wrong or missing bytes', async () => {
    const { urlOf, id } = await created({ 'index.html': 'the right bytes' });
    const before = await keptKeys();
    for (const wrong of ['the wrong bytes', 'short']) {
      const answer = await putFile(service, urlOf('the right bytes'), wrong);
      assert.equal(answer.status, 422, answer.text());
      assert.equal(answer.json().code, 'invalid_files');
    }
    assert.deepEqual(await keptKeys(), before);
    const status = await creator.client.readVersion({ params: { id } });
    assert.deepEqual(status.missing, ['index.html']);
  });

  it('cuts a file at its declared size', async () => {
    const { urlOf } = await created({ 'index.html': 'exactly this' });
    const before = await keptKeys();
    const declared = await putFile(service, urlOf('exactly this'), 'exactly this and more');
    assert.equal(declared.status, 413);
    assert.equal(declared.json().code, 'too_large');
    const url = new URL(urlOf('exactly this'));
    const answer = await endlessPut(service.port, url);
    assert.match(answer, /^HTTP\/1\.1 413 /u);
    assert.deepEqual(await keptKeys(), before);
  });

  it('stores nothing when the client disconnects half way', async () => {
    const { urlOf } = await created({ 'index.html': 'x'.repeat(5000) });
    const before = await keptKeys();
    const url = new URL(urlOf('x'.repeat(5000)));
    await new Promise<void>((resolve) => {
      const socket = connect(service.port, '127.0.0.1', () => {
        socket.write(
          `PUT ${url.pathname}${url.search} HTTP/1.1\r\nHost: ${url.host}\r\nContent-Length: 5000\r\n\r\nhalf of it`,
          () => socket.destroy(),
        );
      });
      socket.on('close', () => resolve());
    });
    assert.equal((await service.get(`${service.baseUrl}/healthz`)).status, 200);
    assert.deepEqual(await keptKeys(), before);
  });

  it('refuses links that are changed, of another file, or expired', async () => {
    const { urlOf } = await created({ 'index.html': 'bytes one', 'b.txt': 'bytes two' });
    const good = urlOf('bytes one');
    const changed = [
      good.replace(/size=\d+/u, 'size=99'),
      good.replace(/signature=(.)/u, (_, first) => `signature=${first === '_' ? '-' : '_'}`),
      good.replace(sha256('bytes one'), sha256('bytes two')),
      good.split('?')[0] ?? '',
    ];
    for (const url of changed) {
      const answer = await putFile(service, url, 'bytes one');
      assert.equal(answer.status, 403, url);
      assert.equal(answer.json().code, 'link_expired');
    }
    service.clock.advance({ seconds: 7201 });
    const late = await putFile(service, good, 'bytes one');
    assert.equal(late.json().code, 'link_expired');
  });

  it('returns fresh links for missing files, and those work', async () => {
    const { id, urlOf } = await created({ 'index.html': 'part a', 'b.txt': 'part b' });
    await putFile(service, urlOf('part a'), 'part a');
    service.clock.advance({ hours: 3 });
    const { uploads } = await creator.client.freshUploads({ params: { id } });
    assert.deepEqual(
      uploads.map((upload) => upload.sha256),
      [sha256('part b')],
    );
    assert.equal((await putFile(service, uploads[0]?.url ?? '', 'part b')).status, 200);
    assert.deepEqual((await creator.client.freshUploads({ params: { id } })).uploads, []);
  });

  it('issues no links for another’s version', async () => {
    const { id } = await created(smallGame as Record<string, string>);
    const stranger = await service.creator();
    const answer = await stranger.call('POST', `/api/v1/hosting/versions/${id}/uploads`);
    assert.equal(answer.status, 404);
    assert.equal(answer.json().code, 'not_found');
  });

  it('stores bytes once, however many upload them at once', async () => {
    const content = 'many at once '.repeat(500);
    const versions = await Promise.all(Array.from({ length: 10 }, () => created({ 'index.html': content })));
    const answers = await Promise.all(versions.map(({ urlOf }) => putFile(service, urlOf(content), content)));
    assert.deepEqual(
      answers.map(({ status }) => status),
      Array(10).fill(200),
    );
    assert.equal((await keptKeys()).filter((key) => key.startsWith(sha256(content))).length, 1);
  });

  it('answers 503 while the store is unavailable, and accepts the file when it is back', {
    skip: onFolder,
  }, async () => {
    const { urlOf } = await created({ 'index.html': 'stored later' });
    const blobs = join(service.environment.DATA_DIR ?? '', 'blobs');
    await rename(blobs, `${blobs}-away`);
    const answer = await putFile(service, urlOf('stored later'), 'stored later');
    await rename(`${blobs}-away`, blobs);
    assert.deepEqual([answer.status, answer.json().code], [503, 'hosting_unavailable']);
    assert.ok(Number(answer.headers['retry-after']) > 0);
    assert.equal((await putFile(service, urlOf('stored later'), 'stored later')).status, 200);
  });

  it('refuses a file that contains a valid token, and accepts it once the token is revoked', async () => {
    const leaking = `const token = "${creator.token}";`;
    const { urlOf } = await created({ 'index.html': 'page', 'app.js': leaking });
    const answer = await putFile(service, urlOf(leaking), leaking);
    assert.equal(answer.status, 422);
    assert.deepEqual(answer.json().paths, ['app.js']);
    assert.ok(!answer.text().includes(creator.token));
    const made = `const token = "sp_token_${'a'.repeat(43)}000000";`;
    const harmless = await created({ 'index.html': 'page', 'app.js': made });
    assert.equal((await putFile(service, harmless.urlOf(made), made)).status, 200);
  });

  it('names a file with more texts like tokens than it can look up', async () => {
    const many = 'sp_token_'.repeat(20_000);
    const { urlOf } = await created({ 'index.html': 'page', 'odd.js': many });
    const answer = await putFile(service, urlOf(many), many);
    assert.deepEqual([answer.status, answer.json().paths], [422, ['odd.js']]);
  });

  it('refuses a file that contains a board secret, and accepts it once the secret is replaced', async () => {
    const { space } = await publishFiles(creator, smallGame);
    const issue = async (): Promise<string> =>
      (await creator.call('POST', `/api/spaces/${space.slug}/secret`)).json().secret;
    const leaking = `fetch("/api/v1/scores", { headers: { authorization: "Bearer ${await issue()}" } });`;
    const { urlOf } = await created({ 'index.html': 'page', 'board.js': leaking });
    const answer = await putFile(service, urlOf(leaking), leaking);
    assert.deepEqual([answer.status, answer.json().code], [422, 'invalid_files']);
    assert.deepEqual(answer.json().paths, ['board.js']);
    await issue();
    assert.equal((await putFile(service, urlOf(leaking), leaking)).status, 200);
  });

  it('refuses a file that contains a claim token as long as the token is valid', async () => {
    const answered = await service.anonymous.call('POST', '/api/v1/hosting/versions', {
      fields: listing,
      files: fileEntries({ 'index.html': 'page' }),
    });
    const leaking = `{ "claim": "${answered.json().claimToken}" }`;
    const first = await created({ 'index.html': 'page', 'claim.json': leaking });
    const answer = await putFile(service, first.urlOf(leaking), leaking);
    assert.deepEqual([answer.status, answer.json().paths], [422, ['claim.json']]);
    service.clock.advance({ days: 8 });
    const second = await created({ 'index.html': 'page', 'claim.json': leaking });
    assert.equal((await putFile(service, second.urlOf(leaking), leaking)).status, 200);
  });

  it('refuses a file that contains a device code as long as the code may become a token', async () => {
    const started = await service.anonymous.call('POST', '/api/agent/login');
    const leaking = `{ "login": "${started.json().device_code}" }`;
    const first = await created({ 'index.html': 'page', 'login.json': leaking });
    const answer = await putFile(service, first.urlOf(leaking), leaking);
    assert.deepEqual([answer.status, answer.json().paths], [422, ['login.json']]);
    service.clock.advance({ minutes: 16 });
    assert.equal((await putFile(service, first.urlOf(leaking), leaking)).status, 200);
  });
});

/** Sends chunks for as long as the server takes them. Returns the head of the answer. */
function endlessPut(port: number, url: URL): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let answer = '';
    socket.on('data', (data) => {
      answer += data.toString();
      if (answer.includes('\r\n\r\n')) {
        socket.destroy();
        resolve(answer);
      }
    });
    socket.on('error', (error) => (answer === '' ? reject(error) : resolve(answer)));
    socket.write(
      `PUT ${url.pathname}${url.search} HTTP/1.1\r\nHost: ${url.host}\r\nTransfer-Encoding: chunked\r\n\r\n`,
    );
    const chunk = `400\r\n${'y'.repeat(0x400)}\r\n`;
    const send = () => {
      while (!socket.destroyed && socket.write(chunk));
      if (!socket.destroyed) socket.once('drain', send);
    };
    send();
  });
}
