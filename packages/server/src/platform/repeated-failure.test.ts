import assert from 'node:assert/strict';
import { it } from 'node:test';
import { readableLog } from '../../test/log-lines.ts';
import { RepeatedFailure } from './repeated-failure.ts';

it('logs each reason once, also if they take turns, until it succeeds', async () => {
  const { log, lines } = readableLog();
  const failure = new RepeatedFailure(log, { fails: 'fails', again: 'works again' });
  const [refused, late] = [new Error('connect ECONNREFUSED'), new Error('timeout expired')];
  failure.succeeded();
  for (let times = 0; times < 3; times++) for (const error of [refused, late]) failure.failed(error);
  failure.succeeded();
  failure.succeeded();
  failure.failed(late);
  for (let number = 0; number < 100; number++) failure.failed(new Error(`no room for ${number}`));
  failure.succeeded();
  failure.failed(refused);
  await new Promise((resolve) => log.flush(resolve));
  const said = lines.map(({ msg, err }) => `${msg}: ${err?.message}`);
  assert.deepEqual(said.slice(0, 5), [
    'fails: connect ECONNREFUSED',
    'fails: timeout expired',
    'works again: undefined',
    'fails: timeout expired',
    'fails: no room for 0',
  ]);
  assert.deepEqual(said.slice(-2), ['works again: undefined', 'fails: connect ECONNREFUSED']);
  assert.ok(lines.length < 30, `${lines.length} lines`);
});
