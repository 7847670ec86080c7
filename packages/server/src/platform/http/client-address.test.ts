import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createClientAddress, isProxy, type TrustedProxies } from './client-address.ts';

function addressOf(proxies: TrustedProxies, remoteAddress: string, forwarded?: string): string {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  return createClientAddress(proxies)({ socket: { remoteAddress } as Socket, headers });
}

describe('the address of a client', () => {
  it('is that of the connection when no proxy is trusted', () => {
    assert.equal(addressOf(false, '203.0.113.9', '10.0.0.1'), '203.0.113.9');
    assert.equal(addressOf(false, '::ffff:203.0.113.9'), '203.0.113.9');
  });

  it('is read from the forwarded header by the number of trusted proxies', () => {
    assert.equal(addressOf(1, '10.0.0.1', '127.0.0.1, 203.0.113.9'), '203.0.113.9');
    assert.equal(addressOf(2, '10.0.0.1', '127.0.0.1, 203.0.113.9, 10.0.0.2'), '203.0.113.9');
    assert.equal(addressOf(3, '10.0.0.1', '203.0.113.9'), '203.0.113.9');
    assert.equal(addressOf(1, '10.0.0.1'), '10.0.0.1');
  });

  it('is the last forwarded address that is not a trusted proxy', () => {
    const proxies = ['10.0.0.0/8', '2001:db8::1'];
    assert.equal(addressOf(proxies, '10.1.2.3', '127.0.0.1, 203.0.113.9, 10.9.9.9'), '203.0.113.9');
    assert.equal(addressOf(proxies, '2001:db8::1', '2001:db8::7'), '2001:db8::7');
    assert.equal(addressOf(proxies, '198.51.100.1', '203.0.113.9'), '198.51.100.1');
    assert.equal(isProxy(proxies, '::ffff:10.1.1.1'), true);
    assert.equal(isProxy(proxies, '11.1.1.1'), false);
  });

  it('has no brackets and no port, and is never other text', () => {
    assert.equal(addressOf(1, '10.0.0.1', '[2001:db8::7]:443'), '2001:db8::7');
    assert.equal(addressOf(1, '10.0.0.1', '203.0.113.9:51234'), '203.0.113.9');
    assert.equal(addressOf(1, '10.0.0.1', 'unknown'), '10.0.0.1');
  });

  it('does not depend on addresses that the client put into the header', () => {
    const written = fc.array(fc.oneof(fc.ipV4(), fc.ipV6(), fc.string()), { maxLength: 6 });
    fc.assert(
      fc.property(written, fc.integer({ min: 1, max: 3 }), (forged, hops) => {
        const added = ['203.0.113.9', '10.0.0.3', '10.0.0.2'].slice(0, hops);
        assert.equal(addressOf(hops, '10.0.0.1', [...forged, ...added].join(', ')), '203.0.113.9');
      }),
    );
  });
});
