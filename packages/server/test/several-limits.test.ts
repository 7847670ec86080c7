import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { createVersion } from '@spaceport/contract/hosting';
import { playWindowSeconds } from '@spaceport/contract/plays';
import { publishFiles, smallGame } from './files.ts';
import { answeredBy, asks, askUntilBoth, type Several, startSeveral } from './several-processes.ts';

const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const sent = 60;

describe('a count that two processes share', () => {
  let several: Awaited<ReturnType<typeof startSeveral>>;
  before(async () => {
    several = await startSeveral({ BODY_MEMORY_BYTES: '22m' });
  });
  after(() => several.close());

  it('counts a visitor’s play once in half an hour', async () => {
    const ask = asks(several);
    const { space } = await publishFiles(await several.test.creator(), smallGame, undefined, {
      live: true,
    });
    for (let live = 404; live !== 200; ) live = (await ask(`/api/gallery/${space.slug}`)).status;
    const path = `/api/gallery/${space.slug}/plays`;
    const headers = { 'user-agent': browser, 'sec-fetch-site': 'same-origin' };
    const windowNow = () => Math.floor(Date.now() / 1_000 / playWindowSeconds);
    const began = windowNow();
    const answers = await askUntilBoth(several, path, () => ask(path, { method: 'POST', headers }));
    const windows = 1 + windowNow() - began;
    const counted = answers.filter((answer) => answer.json().counted).length;
    assert.ok(counted >= 1 && counted <= windows, `${counted} in ${windows} windows`);
  });

  it('bounds the memory that one network may use for bodies', async () => {
    const { token } = await several.test.creator();
    // The share of one network is a quarter of the memory. It has room for one body of the greatest length,
    // not for two.
    const held = Array.from({ length: sent }, () => beginLongest(several, token));
    const refused = new Set<Begun>();
    const { promise: allButOne, resolve } = Promise.withResolvers<void>();
    for (const one of held)
      void one.refused.then(() => {
        refused.add(one);
        if (refused.size === sent - 1) resolve();
      });
    await allButOne;
    // Whichever process accepts them, further ones are refused too.
    let answered = sent - 1;
    do {
      await beginLongest(several, token).refused;
      answered++;
    } while ((await answeredBy(several, createVersion.path, answered)).size < 2);
    assert.equal(refused.size, sent - 1);
    // When the admitted request leaves, its memory is free again in both processes.
    for (const one of held) if (!refused.has(one)) one.leave();
    const body = '{}'.padStart(createVersion.maxBodyBytes);
    const send = () => asks(several)(createVersion.path, { method: 'POST', headers: headersOf(token), body });
    for (let status = 503; status === 503; )
      status = await send().then(
        (answer) => answer.status,
        () => 503,
      );
  });
});

interface Begun {
  /** Resolves when the answer says that there is no room. */
  readonly refused: Promise<void>;
  leave(): void;
}

const headersOf = (token: string) => ({
  authorization: `Bearer ${token}`,
  'content-type': 'application/json',
});

/** Announces a body of the greatest allowed length and sends none of it. */
function beginLongest({ server, test }: Several, token: string): Begun {
  const { host } = new URL(test.service.config.BASE_URL);
  const begun = request({
    port: server.listeningPort,
    host: '127.0.0.1',
    method: 'POST',
    path: createVersion.path,
    agent: false,
    headers: { host, ...headersOf(token), 'content-length': createVersion.maxBodyBytes },
  });
  begun.on('error', () => {});
  begun.flushHeaders();
  return {
    refused: new Promise((resolve) => {
      begun.once('response', ({ statusCode }) => {
        begun.destroy();
        if (statusCode === 503) resolve();
      });
    }),
    leave: () => void begun.destroy(),
  };
}
