import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { isPublicAddress } from './public-address.ts';

/** The IANA special-purpose registries, multicast, and unassigned networks: network and prefix length. */
const specialV4: [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  ['255.255.255.255', 32],
];
const specialV6: [string, number][] = [
  ['::', 128],
  ['::1', 128],
  ['::', 96],
  ['::ffff:0:0:0', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['100:0:0:1::', 64],
  ['2001::', 23],
  ['2001::', 32],
  ['2001:2::', 48],
  ['2001:10::', 28],
  ['2001:20::', 28],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
  ['4000::', 2],
  ['5f00::', 16],
  ['8000::', 1],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
];

// Separate arithmetic, so that the test does not depend on the library that it tests.
function v4Number(text: string): bigint {
  return text.split('.').reduce((sum, octet) => sum * 256n + BigInt(octet), 0n);
}
function v4Text(number: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => (number >> shift) & 255n).join('.');
}
function v6Number(text: string): bigint {
  const [start = '', end = ''] = text.split('::');
  const groups = (part: string) => (part === '' ? [] : part.split(':'));
  const zeros = Array<string>(8 - groups(start).length - groups(end).length).fill('0');
  return [...groups(start), ...zeros, ...groups(end)].reduce(
    (sum, group) => sum * 65_536n + BigInt(`0x${group}`),
    0n,
  );
}
function v6Text(number: bigint): string {
  const groups = Array.from({ length: 8 }, (_, index) => (number >> BigInt(112 - 16 * index)) & 0xffffn);
  return groups.map((group) => group.toString(16)).join(':');
}
function member(network: bigint, bits: number, width: 32 | 128): fc.Arbitrary<bigint> {
  const free = BigInt(width - bits);
  return fc.bigInt({ min: 0n, max: (1n << free) - 1n }).map((rest) => ((network >> free) << free) | rest);
}
const anyV4 = fc.bigInt({ min: 0n, max: (1n << 32n) - 1n });

describe('no member of a special-purpose range is public', () => {
  for (const [network, bits] of specialV4) {
    test(`${network}/${bits}`, () => {
      fc.assert(
        fc.property(member(v4Number(network), bits, 32), (address) => {
          assert.equal(isPublicAddress(v4Text(address)), false);
        }),
      );
    });
  }
  for (const [network, bits] of specialV6) {
    test(`${network}/${bits}`, () => {
      fc.assert(
        fc.property(member(v6Number(network), bits, 128), (address) => {
          assert.equal(isPublicAddress(v6Text(address)), false);
        }),
      );
    });
  }
});

test('every other IPv4 address is public', () => {
  const isSpecial = (address: bigint) =>
    specialV4.some(
      ([network, bits]) => address >> BigInt(32 - bits) === v4Number(network) >> BigInt(32 - bits),
    );
  fc.assert(
    fc.property(anyV4, (address) => assert.equal(isPublicAddress(v4Text(address)), !isSpecial(address))),
    { numRuns: 2_000 },
  );
});

test('an IPv4 address within IPv6 is judged as IPv4 when packets go to it', () => {
  const special = fc
    .constantFrom(...specialV4)
    .chain(([network, bits]) => member(v4Number(network), bits, 32));
  fc.assert(
    fc.property(fc.oneof(anyV4, special), (address) => {
      const expected = isPublicAddress(v4Text(address));
      assert.equal(isPublicAddress(v6Text((0xffffn << 32n) | address)), expected);
      assert.equal(isPublicAddress(`::ffff:${v4Text(address)}`), expected);
      assert.equal(isPublicAddress(v6Text(v6Number('64:ff9b::') | address)), expected);
      assert.equal(isPublicAddress(`64:ff9b::${v4Text(address)}`), expected);
      const isatap = v6Number('2a00:1450:4001:800:0:5efe:0:0') | address;
      assert.equal(isPublicAddress(v6Text(isatap)), expected);
      assert.equal(isPublicAddress(v6Text(isatap | (0x0200n << 48n))), expected);
    }),
  );
});

test('an IPv4 address behind a relay is never public, even if it is a public one', () => {
  for (const address of ['::8.8.8.8', '::ffff:0:8.8.8.8', '2002:808:808::1', '2001:0:808:808::f7f7:f7f7'])
    assert.equal(isPublicAddress(address), false, address);
  assert.equal(isPublicAddress('64:ff9b:1::8.8.8.8'), false);
  assert.equal(isPublicAddress('2002:7f00:1::'), false);
});

test('addresses of the public web are public', () => {
  const addresses = [
    '1.1.1.1',
    '8.8.8.8',
    '100.63.255.255',
    '100.128.0.0',
    '172.15.0.1',
    '172.32.0.1',
    '223.255.255.255',
  ];
  for (const address of [
    ...addresses,
    '2606:4700:4700::1111',
    '2a00:1450:4001:800::200e',
    '2001:4860:4860::8888',
  ])
    assert.equal(isPublicAddress(address), true, address);
});

test('text that is not exactly an address is not public', () => {
  const texts = [
    '',
    'example.com',
    '8.8.8',
    '134744072',
    '010.8.8.8',
    '0x8.8.8.8',
    '8.8.8.8 ',
    '8.8.8.8:80',
    '1.1.1.1/32',
  ];
  for (const text of [
    ...texts,
    '[2606:4700::1]',
    '2606:4700::1%eth0',
    'fe80::1%1',
    '2606:4700',
    '::ffff:8.8.8.08',
  ])
    assert.equal(isPublicAddress(text), false, text);
});
