import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageText } from './page-text.ts';

const latin = Buffer.from('<p>caf\xe9</p>', 'latin1');
const utf8 = Buffer.from('<p>café</p>');

test('the charset of a page is detected as a browser does it', () => {
  const cases: [string, Buffer, string, string][] = [
    ['valid UTF-8 without a word about it', utf8, 'text/html', '<p>café</p>'],
    ['windows-1252 without a word about it', latin, '', '<p>café</p>'],
    ['the header', latin, 'text/html; charset="ISO-8859-1"', '<p>café</p>'],
    ['a header in error', utf8, 'text/html; charset=nonsense', '<p>café</p>'],
    ['a mark before the header', Buffer.from('\ufeffcafé'), 'text/html; charset=iso-8859-1', 'café'],
    ['UTF-16 by its mark', Buffer.from('\ufeffcafé', 'utf16le'), 'text/html', 'café'],
    ['UTF-16 by its other mark', Buffer.from('\ufeffcafé', 'utf16le').swap16(), 'text/html', 'café'],
    ['a first byte of a mark alone', Buffer.from('ï<p>', 'latin1'), '', 'ï<p>'],
    ['a meta tag', Buffer.from('<meta charset=koi8-r>\xc1', 'latin1'), '', '<meta charset=koi8-r>а'],
    [
      'an http-equiv tag',
      Buffer.from('<meta http-equiv=content-type content="text/html; charset=shift_jis">\x83\x65', 'latin1'),
      '',
      '<meta http-equiv=content-type content="text/html; charset=shift_jis">テ',
    ],
    ['a meta tag that cannot be', Buffer.from('<meta charset=utf-16>é'), '', '<meta charset=utf-16>é'],
    [
      'a meta tag in a comment',
      Buffer.from('<!-- <meta charset=koi8-r> -->é'),
      '',
      '<!-- <meta charset=koi8-r> -->é',
    ],
    ['broken UTF-8 that says it is UTF-8', latin, 'text/html;charset=utf-8', '<p>caf\ufffd</p>'],
    ['nothing', Buffer.alloc(0), '', ''],
  ];
  for (const [name, body, contentType, text] of cases) assert.equal(pageText(body, contentType), text, name);
});
