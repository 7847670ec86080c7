import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { describe, it } from 'node:test';
import { handedOver, logInto } from './log.ts';

const paths = [
  '/',
  '/s/moon',
  '/"quoted"\\\n',
  '/a\u0000\u2028é',
  '/\ud800',
  '/x/sp_tok_0123456789abcdefghijABCDEFGHIJ',
];

/** Returns the lines that both ways write at a level, without their time. */
async function written(level: string, processNumber?: number) {
  let text = '';
  const sink = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk);
      done();
    },
  });
  const log = logInto(() => sink, level, processNumber);
  for (const path of paths) {
    const line = { reqId: 'an-id', method: 'GET', path, status: 200, ms: 3 };
    log.requestLine(line);
    log.info(line, 'request');
  }
  await handedOver(log, 5_000);
  const lines = text.split('\n').slice(0, -1);
  return lines.map((line) => line.replace(/"time":"[^"]+"/u, '"time":""'));
}

describe('the line of a request', () => {
  it('is equal to what the logger writes for the same fields', async () => {
    for (const processNumber of [undefined, 2]) {
      const lines = await written('info', processNumber);
      assert.equal(lines.length, 2 * paths.length);
      for (let at = 0; at < lines.length; at += 2) {
        assert.equal(lines[at], lines[at + 1]);
        assert.doesNotThrow(() => JSON.parse(lines[at] ?? ''));
      }
    }
  });

  it('is not written when the level excludes it', async () => {
    assert.deepEqual(await written('warn'), []);
    assert.deepEqual(await written('silent'), []);
  });
});
