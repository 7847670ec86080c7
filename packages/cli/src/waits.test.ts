import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { ApiError, ConnectionError } from '@spaceport/client/api-error';
import { fail } from '../../client/test/fake-answers.ts';
import { fakeCli } from '../test/fake-cli.ts';
import { tellWaits } from './waits.ts';

const server = 'https://service.example';
const refused = new ConnectionError(server, new Error('no connection to service.example within 10 seconds'));

describe('what is told of a call that takes long', () => {
  let notes: string[];
  let nowMs: number;
  beforeEach(() => {
    notes = [];
    nowMs = 0;
  });
  const watch = (usualMs = 0) =>
    tellWaits({ note: (text) => notes.push(text) }, server, 5, () => nowMs)(usualMs, 60_000 + usualMs);

  it('says nothing of an answer that comes soon, nor of tries that are soon over', ({ mock }) => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const call = watch();
    mock.timers.tick(3_999);
    call.retrying(refused, 1, 0);
    mock.timers.tick(3_999);
    call.ended();
    mock.timers.tick(1_000_000);
    assert.deepEqual(notes, []);
  });

  it('says after some seconds what is waited for, and for how long', ({ mock }) => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const call = watch();
    mock.timers.tick(4_000);
    nowMs = 10_000;
    call.retrying(refused, 1, 200);
    call.ended();
    assert.deepEqual(notes, [
      `No answer from ${server} yet. Waiting up to 1 min for it…`,
      `No answer from ${server}: no connection to service.example within 10 seconds. Trying again (2 of 5)…`,
    ]);
  });

  it('says at once how long a busy service is waited for', () => {
    const call = watch();
    call.retrying(new ApiError({ status: 503, code: 'busy', message: 'It is busy.' }), 2, 20_300);
    call.ended();
    assert.deepEqual(notes, ['It is busy. Trying again in 21 s (3 of 5)…']);
  });

  it('takes no long poll for a service that does not answer', ({ mock }) => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const call = watch(30_000);
    mock.timers.tick(33_999);
    assert.deepEqual(notes, []);
    mock.timers.tick(1);
    assert.deepEqual(notes, [`No answer from ${server} yet. Waiting up to 1 min 30 s for it…`]);
    call.ended();
  });
});

describe('a command whose service is busy', () => {
  const fake = fakeCli();

  it('tells it on stderr, and on stdout has its one document', async () => {
    fake.service.intercept = () => fail(503, 'hosting_unavailable', 'Away.', { 'retry-after': '50' });
    let heard = '';
    const { code, stdout, stderr } = await fake.cliProcess(['whoami', '--json'], {
      onStart: (child) =>
        child.stderr?.on('data', (text) => {
          heard += text;
          if (heard.includes('Trying again in')) child.kill('SIGINT');
        }),
    });
    assert.match(stderr, /^Away\. Trying again in 5\d s \(2 of 5\)…\n$/u);
    assert.deepEqual([code, JSON.parse(stdout).error.code], [130, 'interrupted']);
  });
});
