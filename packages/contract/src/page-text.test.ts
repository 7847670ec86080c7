import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageText, publishedEncoding, publishedText } from './page-text.ts';

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

test('a published page is read as UTF-8 where it is that, else as it says', () => {
  const sjis = Buffer.from('<meta charset="shift_jis"><p>\x83\x65', 'latin1');
  const wide = Buffer.from('<p>テ', 'utf16le');
  const cases: [string, Uint8Array, string, boolean, string][] = [
    ['UTF-8 that says something else', Buffer.from('<meta charset=gbk>テ'), 'utf-8', true, 'テ'],
    ['UTF-8 that is cut within a letter', Buffer.from('ëテ').subarray(0, 4), 'utf-8', true, 'ë'],
    ['Shift_JIS', sjis, 'shift_jis', true, 'テ'],
    ['Latin-1 that says nothing', latin, 'windows-1252', false, 'café'],
    ['UTF-16 with a mark', Buffer.from('\ufeffテ', 'utf16le'), 'utf-16le', true, 'テ'],
    ['UTF-16 without a mark', wide, 'utf-16le', true, 'テ'],
    ['UTF-16 the other way round', Buffer.from(wide).swap16(), 'utf-16be', true, 'テ'],
    ['UTF-8 with a broken letter', Buffer.from([...Buffer.from('テテ'), 0xe9, 0x2e]), 'utf-8', false, 'テ'],
    ['what says to be UTF-8', Buffer.from('<meta charset=utf-8>\xe9.', 'latin1'), 'utf-8', false, '\ufffd'],
    [
      'an encoding of escapes',
      Buffer.from('<meta charset=iso-2022-jp>\xe9.', 'latin1'),
      'windows-1252',
      false,
      'é',
    ],
  ];
  for (const [name, page, encoding, isCertain, text] of cases) {
    assert.deepEqual(publishedEncoding(page), { encoding, isCertain }, name);
    assert.ok(publishedText(page).includes(text), name);
  }
});
