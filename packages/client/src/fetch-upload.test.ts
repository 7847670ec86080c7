import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { ConnectionError } from './api-error.ts';
import { fetchUploads } from './fetch-upload.ts';

const file = {
  path: 'game.js',
  size: 32 * 1024,
  sha256: '0'.repeat(64),
  open: async () => new Uint8Array(32 * 1024),
};

/** A connection that broke without a word: it answers nothing, until it is given up. */
const silent: typeof fetch = (_url, init) =>
  new Promise((_resolve, reject) => {
    init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
  });

test('an upload without an answer ends after a minute and the time that its bytes may take', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const upload = fetchUploads(silent);
  const ended = upload({ url: 'https://service.example/x', file, signal: undefined, onBytes() {} }).then(
    () => 'stored',
    (error: unknown) => error,
  );
  await turn();
  t.mock.timers.tick(61_999);
  assert.equal(await Promise.race([ended, turn('waits')]), 'waits');
  t.mock.timers.tick(1);
  assert.ok((await ended) instanceof ConnectionError);
});

test('an upload that was stopped says why', async () => {
  const stop = new AbortController();
  const upload = fetchUploads(silent);
  const sending = upload({ url: 'https://service.example/x', file, signal: stop.signal, onBytes() {} });
  await turn();
  stop.abort(new Error('stopped by hand'));
  await assert.rejects(sending, /stopped by hand/u);
});
