import assert from 'node:assert/strict';
import { it } from 'node:test';
import { formActionOf, isRegistered, redirectProblem, withAnswer } from './redirect-uri.ts';

it('https, loopback and private-scheme redirect addresses are accepted', () => {
  for (const uri of [
    'https://claude.ai/api/mcp/auth_callback',
    'https://xn--mnchen-3ya.example_x.org:8443/cb',
    'https://[2001:db8::1]/cb',
    'http://127.0.0.1:4312/callback',
    'http://localhost/callback?x=1',
    'http://[::1]:9/',
    'cursor://anysphere.cursor-retrieval/oauth/callback',
    'com.example.app:/callback',
  ])
    assert.equal(redirectProblem(uri), null, uri);
});

it('other redirect addresses are refused', () => {
  for (const uri of [
    'http://example.org/callback',
    'http://127.0.0.1.example.org/',
    'javascript:alert(1)',
    'javascript://localhost/%0aalert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'https://example.org/#here',
    'https://user:pass@example.org/',
    'https://exa mple.org/',
    'https://example.org;sandbox/',
    'https://example.org,evil.example/',
    'https://*.example.org/',
    'https://*/',
    'https://example.org/\u0000',
    '/callback',
    'mailto:a@example.org',
    `https://example.org/${'x'.repeat(2_000)}`,
  ])
    assert.notEqual(redirectProblem(uri), null, uri);
});

it('a redirect address must be equal to a registered one, except for the port on loopback', () => {
  const own = ['https://example.org/cb', 'http://127.0.0.1/cb', 'http://localhost:1/cb?x=1'];
  for (const uri of [...own, 'http://127.0.0.1:4312/cb', 'http://localhost:99/cb?x=1'])
    assert.ok(isRegistered(uri, own), uri);
  for (const uri of [
    'https://example.org:444/cb',
    'https://example.org/cb/',
    'https://example.org/cb?x=1',
    'https://example.org.evil.example/cb',
    'http://127.0.0.1:4312/other',
    'http://localhost:4312/cb',
    'http://127.0.0.1:1@evil.example/cb',
    'https://127.0.0.1/cb',
  ])
    assert.ok(!isRegistered(uri, own), uri);
});

it('the answer keeps the existing query, and the form may lead to that origin alone', () => {
  assert.equal(
    withAnswer('https://example.org/cb?a=1', { code: 'x y', state: undefined }),
    'https://example.org/cb?a=1&code=x+y',
  );
  assert.equal(formActionOf('https://example.org:444/cb'), 'https://example.org:444');
  assert.equal(formActionOf('http://[::1]:9/cb'), 'http:');
  assert.equal(formActionOf('cursor://x/cb'), 'cursor:');
});
