import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { listing } from '../../test/files.ts';
import { type PageServer, proofTag, startPages } from '../../test/pages.ts';
import { type RawAnswer, rawRequest } from '../../test/raw-http.ts';
import { type ServerProcess, startServerProcess } from '../../test/server-process.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';

describe('two server processes on one database', () => {
  let pages: PageServer;
  let service: TestService;
  let second: ServerProcess;
  let creator: Persona;
  before(async () => {
    pages = await startPages();
    service = await startService({ environment: { FETCH_ALLOW: pages.address } });
    creator = await service.creator();
    // One service to the outside: the same addresses, whichever port a process listens on.
    const { BASE_URL, PLAY_HOST, PREVIEW_HOST } = service.service.config;
    const shared = { ...service.environment, BASE_URL, PLAY_HOST, PREVIEW_HOST, PORT: '0' };
    second = await startServerProcess(shared, { role: 'serve' });
  });
  after(async () => {
    await second.end();
    await service.close();
    await pages[Symbol.asyncDispose]();
  });

  let turn = 0;
  /** To the one and the other process in turn. */
  const post = (path: string, body: object): Promise<RawAnswer> =>
    rawRequest(turn++ % 2 === 0 ? service.port : second.listeningPort, new URL(path, service.baseUrl).href, {
      method: 'POST',
      headers: { authorization: `Bearer ${creator.token}` },
      body: JSON.stringify(body),
    });

  it('count the tries of a move together', async () => {
    const url = pages.put('/counted', proofTag(creator.handle));
    const { slug } = (await post('/api/spaces', { ...listing, url })).json();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => post(`/api/spaces/${slug}/move`, { url: pages.url('/nowhere') })),
    );
    const statuses = answers.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [...Array(6).fill(422), ...Array(14).fill(429)]);
  });

  it('list an address once', async () => {
    for (let round = 0; round < 5; round++) {
      const url = pages.put(`/wanted-${round}`, '');
      const short = pages.put(`/short-${round}`, { status: 302, headers: { location: url } });
      const answers = await Promise.all(
        [url, short, short, url].map((address) => post('/api/spaces', { ...listing, url: address })),
      );
      const statuses = answers.map(({ status }) => status).sort();
      assert.deepEqual(statuses, [201, 409, 409, 409], answers.map((answer) => answer.text()).join('\n'));
    }
  });
});
