import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newKey, secretOf, signatureHeaders } from './signing.ts';

test('a signature equals the one in the example of Standard Webhooks', () => {
  const headers = signatureHeaders('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    body: '{"test": 2432232314}',
    now: 1_614_265_330_999,
  });
  assert.deepEqual(headers, {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

test('keys have 256 random bits', () => {
  const keys = Array.from({ length: 100 }, newKey);
  assert.equal(new Set(keys).size, keys.length);
  for (const key of keys) {
    assert.equal(Buffer.from(key, 'base64').length, 32);
    assert.equal(secretOf(key), `whsec_${key}`);
  }
});
