import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { networkOf } from './address-network.ts';

describe('the network of an address', () => {
  it('is the IPv4 address, however it is written', () => {
    const written = ['203.0.113.9', '::ffff:203.0.113.9', '::ffff:cb00:7109', '0:0:0:0:0:FFFF:CB00:7109'];
    for (const address of [...written, '2002:cb00:7109::1', '2002:CB00:7109:ffff:1:2:3:4'])
      assert.equal(networkOf(address), '203.0.113.9', address);
  });

  it('is the /64 of an IPv6 address', () => {
    const inside = ['2001:db8:1:2::', '2001:DB8:1:2:ffff:ffff:ffff:ffff', '2001:0db8:0001:0002::9%eth0'];
    for (const address of inside) assert.equal(networkOf(address), '2001:db8:1:2::/64', address);
    assert.notEqual(networkOf('2001:db8:1:3::'), networkOf('2001:db8:1:2::'));
  });

  it('is the text itself if it is no address', () => {
    for (const text of ['', 'unknown', ':', 'a:b']) assert.equal(networkOf(text), text);
  });
});
