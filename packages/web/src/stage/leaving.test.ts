import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLeaving } from './leaving.ts';

test('asks before leaving while a run is open and played, and listens only then', () => {
  const target = new EventTarget();
  const leaving = createLeaving(target as Window);
  const asks = () => !target.dispatchEvent(new Event('beforeunload', { cancelable: true }));
  assert.equal(asks(), false);
  leaving.setRuns(1);
  assert.equal(asks(), false);
  leaving.setPlaying(true);
  assert.equal(asks(), true);
  leaving.setRuns(0);
  assert.equal(asks(), false);
  leaving.setRuns(2);
  assert.equal(asks(), true);
  leaving.stop();
  assert.equal(asks(), false);
});
