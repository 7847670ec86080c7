import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { checkout } from '../pages/built/sources.ts';
import { firstSteps } from './greet.ts';

test('the greeting names the demo where there is one: a release has none', () => {
  const base = 'http://localhost:3000';
  assert.match(firstSteps(base, checkout), /^ {4}npm run demo .*\n {2}or sign up at http/mu);
  const released = firstSteps(base, tmpdir());
  assert.doesNotMatch(released, /npm run demo/u);
  assert.match(
    released,
    /^ {2}Next: sign up at http:\/\/localhost:3000\/sign-up .* then in another terminal$/mu,
  );
});
