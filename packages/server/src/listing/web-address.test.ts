import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { normaliseUrl } from './web-address.ts';

const spellings: [string, string][] = [
  ['HTTPS://Example.COM', 'https://example.com/'],
  ['https://example.com:443/', 'https://example.com/'],
  ['http://example.com:80/a', 'http://example.com/a'],
  ['http://example.com:443/a', 'http://example.com:443/a'],
  ['https://example.com./game', 'https://example.com/game'],
  ['https://example.com.:8443/', 'https://example.com:8443/'],
  ['https://bücher.example.com/', 'https://xn--bcher-kva.example.com/'],
  ['https://BÜCHER.example.com/', 'https://xn--bcher-kva.example.com/'],
  ['https://example.com/#start', 'https://example.com/'],
  ['https://example.com/?', 'https://example.com/'],
  ['https://example.com/?#', 'https://example.com/'],
  ['https://example.com/a/./b/../c', 'https://example.com/a/c'],
  ['https://example.com/a/%2e%2E/c', 'https://example.com/c'],
  ['https://example.com/%7euser/%41', 'https://example.com/~user/A'],
  ['https://example.com/caf%c3%a9', 'https://example.com/caf%C3%A9'],
  ['https://example.com/café', 'https://example.com/caf%C3%A9'],
  ['https://example.com/a%2fb', 'https://example.com/a%2Fb'],
  ['https://example.com/%252e', 'https://example.com/%252e'],
  ['https://example.com/100%', 'https://example.com/100%25'],
  ['https://example.com/%2%65%2%65/a', 'https://example.com/%252e%252e/a'],
  ['https://example.com/index.html', 'https://example.com/index.html'],
  ['https://example.com/a/', 'https://example.com/a/'],
  ['https://example.com/?Q=%7e&b', 'https://example.com/?Q=%7e&b'],
  ['  https://example.com/\n', 'https://example.com/'],
];

for (const [address, normal] of spellings) {
  test(`${JSON.stringify(address)} is ${normal}`, () => assert.equal(normaliseUrl(address), normal));
}

test('text that is not an address throws a TypeError', () => {
  for (const text of ['', 'example.com', 'https://', 'https://exa mple.com/']) {
    assert.throws(() => normaliseUrl(text), TypeError);
  }
});

test('addresses that a server can tell apart stay different', () => {
  const different = [
    'https://example.com/',
    'http://example.com/',
    'https://www.example.com/',
    'https://example.com:8443/',
    'https://example.com/a',
    'https://example.com/A',
    'https://example.com/a/',
    'https://example.com/?a',
    'https://example.com/?A',
    'https://example.com/%2F',
    'https://example.com//',
  ];
  assert.equal(new Set(different.map(normaliseUrl)).size, different.length);
});

const anyAddress = fc.oneof(
  fc.webUrl({ withFragments: true, withQueryParameters: true }),
  fc
    .tuple(fc.domain(), fc.string({ unit: fc.constantFrom(...'/.%256eEfF?#~aA\\é '), maxLength: 20 }))
    .map(([host, rest]) => `https://${host}/${rest}`),
);

test('normalizing twice gives the same as normalizing once', () => {
  fc.assert(
    fc.property(anyAddress, (address) => {
      const once = normaliseUrl(address);
      assert.equal(normaliseUrl(once), once);
    }),
    { numRuns: 1_000 },
  );
});

test('spellings of one address become equal', () => {
  const encodeOctet = (character: string) => `%${character.charCodeAt(0).toString(16)}`;
  const segment = fc.string({ unit: fc.constantFrom(...'abcXYZ019-_~'), minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(fc.domain(), fc.array(segment), fc.array(fc.boolean()), (host, segments, choices) => {
      const plain = `https://${host}/${segments.join('/')}`;
      let turn = 0;
      const encoded = segments.map((text) =>
        text.replaceAll(/./gu, (character) => (choices[turn++] ? encodeOctet(character) : character)),
      );
      const other = `HTTPS://${host.toUpperCase()}.:443/${encoded.join('/')}#there`;
      assert.equal(normaliseUrl(other), normaliseUrl(plain));
    }),
  );
});
