import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { newKey, secretOf, signatureHeaders } from './signing.ts';

test('the code in the guide accepts a valid delivery, and refuses a changed or old one', async () => {
  const guide = readFileSync(new URL('../../../../docs/webhooks.md', import.meta.url), 'utf8');
  const code = /```js\n(?<code>[\s\S]+?)```/u.exec(guide)?.groups?.code ?? '';
  const { isGenuine } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  const key = newKey();
  const now = Date.now();
  const [id, body] = ['evt_1', '{"é":1}'];
  const headers = signatureHeaders(key, { id, body, now });
  const secret = secretOf(key);
  assert.equal(isGenuine(headers, body, secret), true);
  const rotated = { ...headers, 'webhook-signature': `v1,other ${headers['webhook-signature']}` };
  assert.equal(isGenuine(rotated, body, secret), true);
  assert.equal(isGenuine(headers, `${body} `, secret), false);
  assert.equal(isGenuine({ ...headers, 'webhook-id': 'evt_2' }, body, secret), false);
  assert.equal(isGenuine(headers, body, secretOf(newKey())), false);
  assert.equal(isGenuine({}, body, secret), false);
  const old = signatureHeaders(key, { id, body, now: now - 301_000 });
  assert.equal(isGenuine(old, body, secret), false);
  // As many characters as a signature, and more bytes.
  const odd = { ...headers, 'webhook-signature': `v1,${'é'.repeat(44)}` };
  assert.equal(isGenuine(odd, body, secret), false);
});
