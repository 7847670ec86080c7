import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeBrowser } from './describe-browser.ts';

const names: Readonly<Record<string, string>> = {
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/147.0.0.0 Safari/537.36':
    'Chrome on Windows',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/147.0.0.0 Safari/537.36 Edg/147.0.0.0':
    'Edge on Windows',
  'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0': 'Firefox on Linux',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.4 Safari/605.1.15':
    'Safari on Mac',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/147.0 Mobile/15E148 Safari/604.1':
    'Chrome on iPhone',
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/147.0.0.0 Mobile Safari/537.36':
    'Chrome on Android',
  'curl/8.5.0': 'An unknown browser',
  'Something (Windows)': 'A browser on Windows',
};

describe('the name of a browser', () => {
  for (const [userAgent, name] of Object.entries(names))
    it(`is ${name}`, () => assert.equal(describeBrowser(userAgent), name));

  it('is unknown when the user agent is missing', () =>
    assert.equal(describeBrowser(null), 'An unknown browser'));
});
