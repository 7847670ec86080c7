import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { frameRefusal, type PageHeaders } from './page-head.ts';

const app = 'https://spaceport.example';
const page = 'https://game.example/pong';

function csp(...lines: string[]): PageHeaders {
  return { 'content-security-policy': lines };
}

describe('pages whose headers allow framing', () => {
  const cases: Record<string, PageHeaders> = {
    'without headers': {},
    'with a policy about other things': csp("default-src 'self'; frame-src 'none'; script-src 'none'"),
    'for everybody': csp('frame-ancestors *'),
    'for every secure page': csp('frame-ancestors https:'),
    'for every page of the http family': csp('frame-ancestors http:'),
    'naming the app': csp('frame-ancestors https://spaceport.example'),
    'naming the app in the clear': csp('frame-ancestors http://spaceport.example'),
    'naming the app without a scheme': csp('frame-ancestors spaceport.example'),
    'naming the app with its port': csp('frame-ancestors https://spaceport.example:443'),
    'naming the app on any port': csp('frame-ancestors spaceport.example:*'),
    'naming the app with a path, which does not count': csp(
      'frame-ancestors https://spaceport.example/embed/',
    ),
    'naming the app in other letters': csp('Frame-Ancestors HTTPS://SPACEPORT.EXAMPLE'),
    'by a wildcard': csp('frame-ancestors https://*.example'),
    'by a wildcard for all hosts': csp('frame-ancestors https://*'),
    'naming the app among others': csp("frame-ancestors 'self' https://a.example https://spaceport.example"),
    "naming the app beside 'none', which then does not count": csp(
      "frame-ancestors 'none' https://spaceport.example",
    ),
    'where the first directive of two does': csp("frame-ancestors *; frame-ancestors 'none'"),
    'where two policies do': csp('frame-ancestors *', 'frame-ancestors https:'),
    'where X-Frame-Options refuses but frame-ancestors does not': {
      ...csp('frame-ancestors *'),
      'x-frame-options': 'DENY',
    },
    'where only a report-only policy refuses': {
      'content-security-policy-report-only': "frame-ancestors 'none'",
    },
    'with X-Frame-Options that browsers ignore': { 'x-frame-options': 'ALLOW-FROM https://other.example' },
    'with X-Frame-Options that nobody knows': { 'x-frame-options': 'nonsense' },
    'with X-Frame-Options: ALLOWALL': { 'x-frame-options': 'allowall' },
    'with empty headers': { 'x-frame-options': '', 'content-security-policy': ' ; , ;' },
  };
  for (const [name, headers] of Object.entries(cases)) {
    test(name, () => assert.equal(frameRefusal(headers, app, page), null));
  }
});

describe('pages whose headers refuse framing', () => {
  const cases: Record<string, PageHeaders> = {
    'frames at all': csp("frame-ancestors 'none'"),
    'frames of others': csp("frame-ancestors 'self'"),
    'with an empty list': csp('frame-ancestors'),
    'naming somebody else': csp('frame-ancestors https://other.example'),
    'naming a host that ends alike': csp('frame-ancestors https://port.example'),
    'by a wildcard below the app': csp('frame-ancestors https://*.spaceport.example'),
    'on another port': csp('frame-ancestors https://spaceport.example:8443'),
    'naming port 80': csp('frame-ancestors https://spaceport.example:80'),
    'with another scheme': csp('frame-ancestors ftp://spaceport.example'),
    'with something that is no source': csp(
      "frame-ancestors 'unsafe-inline' https://spaceport.example:x ???",
    ),
    'in the second directive of a policy': csp("default-src *; frame-ancestors 'none'"),
    'in the second policy of a line': csp("frame-ancestors *, frame-ancestors 'none'"),
    'in the second line': csp('frame-ancestors *', "frame-ancestors 'none'"),
    'in one line': { 'content-security-policy': "frame-ancestors 'none'" },
    'by X-Frame-Options: DENY': { 'x-frame-options': 'DENY' },
    'by X-Frame-Options: SAMEORIGIN': { 'x-frame-options': 'sameorigin' },
    'by X-Frame-Options twice': { 'x-frame-options': ['SAMEORIGIN', 'SAMEORIGIN'] },
    'by X-Frame-Options that contradict each other': {
      'x-frame-options': 'ALLOWALL, ALLOW-FROM https://a.example',
    },
    'by X-Frame-Options beside a policy about other things': {
      ...csp("default-src 'self'"),
      'x-frame-options': 'DENY',
    },
  };
  for (const [name, headers] of Object.entries(cases)) {
    test(name, () => assert.notEqual(frameRefusal(headers, app, page), null));
  }
});

test('the refusal names the header that refuses', () => {
  assert.equal(frameRefusal({ 'x-frame-options': 'DENY' }, app), 'X-Frame-Options: deny');
  assert.equal(
    frameRefusal(csp('frame-ancestors *', "img-src a; frame-ancestors 'none'"), app),
    "Content-Security-Policy: img-src a; frame-ancestors 'none'",
  );
  assert.ok((frameRefusal(csp(`frame-ancestors ${'a.example '.repeat(1_000)}`), app) ?? '').length < 300);
});

test('a source without a scheme means the scheme of the page', () => {
  const local = 'http://localhost:3000';
  const headers = csp('frame-ancestors localhost:3000');
  assert.equal(frameRefusal(headers, local, 'http://localhost:8080/'), null);
  assert.notEqual(frameRefusal(headers, local, 'https://game.example/'), null);
  assert.equal(frameRefusal(headers, local), null);
  assert.notEqual(frameRefusal(csp('frame-ancestors localhost'), local), null);
  assert.equal(frameRefusal(csp('frame-ancestors http://127.0.0.1:3000'), 'http://127.0.0.1:3000'), null);
  assert.equal(frameRefusal(csp('frame-ancestors http://[::1]:3000'), 'http://[::1]:3000'), null);
});
