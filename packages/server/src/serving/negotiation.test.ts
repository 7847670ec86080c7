import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { acceptedCodings } from './accept-encoding.ts';
import { type ByteRange, parseRange } from './byte-range.ts';
import { allowsRange, listedIn } from './etags.ts';
import { buildFileAnswer, chooseVariant } from './file-answer.ts';

const policy = { appOrigin: 'http://localhost:3000', temporary: false, isolatedBy: null };
const file = {
  hash: 'h',
  size: 1_000,
  key: 'k',
  forms: { br: { key: 'kb', size: 100 }, zstd: { key: 'kz', size: 120 }, gzip: { key: 'kg', size: 200 } },
};

describe('content negotiation', () => {
  const answer = buildFileAnswer('a.js', file, policy);
  for (const [header, coding] of [
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, deflate, zstd', 'zstd'],
    ['GZIP', 'gzip'],
    ['x-gzip', 'gzip'],
    ['deflate', 'identity'],
    ['*', 'br'],
    ['br;q=0, *', 'zstd'],
    ['br;q=0.5, gzip;q=0.9', 'gzip'],
    ['br; q=0, gzip; q=0', 'identity'],
    ['gzip;q=0.001', 'gzip'],
    ['identity, br;q=0.5', 'identity'],
    ['identity;q=0.4, br;q=0.5', 'br'],
    ['br;q=2, gzip', 'gzip'],
    ['br;q=nonsense', 'identity'],
    // If nothing is acceptable, the file is sent as it is, rather than not at all.
    ['identity;q=0', 'identity'],
    [',,;,', 'identity'],
  ] as const) {
    test(`${header} gets ${coding}`, () =>
      assert.equal(chooseVariant(answer, acceptedCodings(header)).coding, coding));
  }

  test('prefers zstd when it is as small, and uses no form that is larger than the file', () => {
    const forms = {
      br: { key: 'kb', size: 100 },
      zstd: { key: 'kz', size: 100 },
      gzip: { key: 'kg', size: 1_000 },
    };
    const alike = buildFileAnswer('a.js', { ...file, forms }, policy);
    assert.equal(chooseVariant(alike, acceptedCodings('br, zstd')).coding, 'zstd');
    assert.equal(chooseVariant(alike, acceptedCodings('gzip')).coding, 'identity');
  });

  test('is always a form that there is, whatever the header', () => {
    const parts = ['gzip', 'br', 'zstd', 'identity', '*', 'x', ',', ';', 'q', '=', '0', '.5', '1', ' '];
    const nearly = fc.string({ unit: fc.constantFrom(...parts), maxLength: 30 });
    fc.assert(
      fc.property(fc.oneof(fc.string(), nearly), (header) => {
        assert.ok(answer.variants.includes(chooseVariant(answer, acceptedCodings(header))), header);
      }),
    );
  });
});

describe('entity tags', () => {
  test('are compared weakly, in lists, and by *', () => {
    const tags = ['"a"', '"a-br"'];
    assert.equal(listedIn('"a"', tags), '"a"');
    assert.equal(listedIn('W/"a-br"', tags), '"a-br"');
    assert.equal(listedIn('"x", W/"y" ,"a-br"', tags), '"a-br"');
    assert.equal(listedIn('*', tags), '"a"');
    assert.equal(listedIn(' * ', tags), '"a"');
    assert.equal(listedIn('"b"', tags), undefined);
    assert.equal(listedIn('a', tags), undefined);
    assert.equal(listedIn('', tags), undefined);
  });
  test('allow a range only when they are equal and strong', () => {
    assert.equal(allowsRange(undefined, '"a"'), true);
    assert.equal(allowsRange('"a"', '"a"'), true);
    assert.equal(allowsRange('W/"a"', '"a"'), false);
    assert.equal(allowsRange('"b"', '"a"'), false);
    assert.equal(allowsRange('Wed, 21 Oct 2015 07:28:00 GMT', '"a"'), false);
  });
});

describe('byte ranges', () => {
  for (const [header, expected] of [
    ['bytes=0-0', { start: 0, end: 0 }],
    ['bytes=2-5', { start: 2, end: 5 }],
    ['Bytes=2-5', { start: 2, end: 5 }],
    ['bytes=8-', { start: 8, end: 9 }],
    ['bytes=8-100', { start: 8, end: 9 }],
    ['bytes=-3', { start: 7, end: 9 }],
    ['bytes=-100', { start: 0, end: 9 }],
    ['bytes=10-', 'unsatisfiable'],
    ['bytes=10-12', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=99999999999999999999999-', 'unsatisfiable'],
    ['bytes=5-2', 'whole'],
    ['bytes=0-1,3-4', 'whole'],
    ['bytes=-', 'whole'],
    ['bytes=a-b', 'whole'],
    ['bytes 0-1', 'whole'],
    ['items=0-1', 'whole'],
    ['', 'whole'],
  ] as const) {
    test(`${header} of 10 bytes`, () => assert.deepEqual(parseRange(header, 10), expected));
  }

  test('of an empty file cannot be satisfied', () => {
    assert.equal(parseRange('bytes=0-', 0), 'unsatisfiable');
    assert.equal(parseRange('bytes=-1', 0), 'unsatisfiable');
  });

  test('are within the file and start where the request says', () => {
    const offset = fc.option(fc.nat(200), { nil: '' });
    fc.assert(
      fc.property(offset, offset, fc.nat(100), (first, last, size) => {
        const range = parseRange(`bytes=${first}-${last}`, size);
        if (typeof range === 'string') return;
        const { start, end }: ByteRange = range;
        assert.ok(start >= 0 && start <= end && end < size);
        if (first !== '') assert.equal(start, first);
        else assert.equal(end, size - 1);
      }),
    );
  });
});
