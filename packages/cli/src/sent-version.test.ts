import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { describe, it, test } from 'node:test';
import { ConnectionError } from '@spaceport/client/api-error';
import { fail } from '../../client/test/fake-answers.ts';
import { fakeCli } from '../test/fake-cli.ts';
import { exitCodes } from './exit-codes.ts';
import { failureOf } from './failure.ts';
import { SentVersion } from './sent-version.ts';

describe('Ctrl-C after a version was sent', () => {
  const fake = fakeCli();

  /** Runs a command, and presses Ctrl-C when it asks this for the time of that number. */
  async function interrupt(args: string[], at: (method: string, path: string, count: number) => boolean) {
    let child: ChildProcess | undefined;
    fake.service.intercept = (method, path, count) => {
      if (!at(method, path, count)) return null;
      child?.kill('SIGINT');
      return fail(503, 'hosting_unavailable', 'Away.', { 'retry-after': '50' });
    };
    const ended = await fake.cliProcess([...args, '--json'], {
      onStart: (started) => {
        child = started;
      },
    });
    fake.service.intercept = () => null;
    const { error } = JSON.parse(ended.stdout);
    assert.deepEqual([ended.code, error.code], [exitCodes.interrupted, 'interrupted']);
    return error;
  }
  const atVerdict = (method: string, path: string, count: number) =>
    method === 'GET' && path.includes('/versions/v_') && !path.endsWith('/files') && count === 2;
  const atFinish = (_method: string, path: string) => path.endsWith('/finish');

  it('says that it goes live all the same', async () => {
    fake.useSettings();
    const error = await interrupt(['publish', 'game', '--live'], atVerdict);
    assert.equal(
      error.message,
      'Interrupted, but version 1 of a-game is sent: it goes live if it passes the safety check.',
    );
    assert.match(error.next, /^See how it went: spaceport status 1 --space a-game$/u);
    assert.equal(error.details.version.number, 1);
    const { document } = await fake.json(['publish', 'game', '--live']);
    assert.deepEqual([document.status, document.version.number], ['live', 1]);
  });

  it('says that it may, where it is not known whether the last call has arrived', async () => {
    fake.useSettings();
    const again = await interrupt(['publish', 'game', '--live'], atFinish);
    assert.match(
      again.message,
      /^Interrupted, but version 1 of a-game may be sent already: then it goes live/u,
    );
    // The same version is resumed, so that it is named again.
    assert.equal((await interrupt(['publish', 'game', '--live'], atFinish)).message, again.message);
  });

  it('says of a preview to go on', async () => {
    fake.useSettings();
    const error = await interrupt(['publish', 'game'], atVerdict);
    assert.match(error.next, /^Nothing is lost/u);
  });
});

test('a publish whose line was lost is run again, and nothing has to be checked', () => {
  const sent = new SentVersion();
  const lost = new ConnectionError('spaceport.example', new Error('nothing moved for 60 seconds'));
  assert.equal(sent.orResumable(lost), lost);
  sent.created({ version: { id: 'v_1', number: 1 }, space: { slug: 'a-game', url: 'http://a-game.test/' } });
  const { exitCode, code, message, next } = failureOf(sent.orResumable(lost));
  assert.deepEqual([exitCode, code, message], [exitCodes.unavailable, 'no_answer', lost.message]);
  assert.match(next ?? '', /^Nothing is lost: run it again once the line is back/u);
  const refused = new Error('It is refused.');
  assert.equal(sent.orResumable(refused), refused);
});
