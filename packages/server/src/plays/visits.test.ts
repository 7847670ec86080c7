import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { givenId } from '../platform/db/ids.ts';
import { alone } from '../platform/processes/together.ts';
import { Visits } from './visits.ts';

const a = givenId('spc', 'spc_a');
const b = givenId('spc', 'spc_b');

const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const minute = 60_000;

describe('visits', () => {
  const at = { now: 0 };
  const visits = (maxPerNetwork = 40) =>
    new Visits(alone({ now: () => at.now, movedMs: () => 0 }, { runsJobs: false }), {
      windowMs: 30 * minute,
      maxPerNetwork,
      now: () => at.now,
    });

  it('count once per visitor, space and window', async () => {
    at.now = 0;
    const seen = visits();
    const ada = { address: '192.0.2.1', userAgent };
    assert.equal(await seen.isNew(a, ada), true);
    assert.equal(await seen.isNew(a, ada), false);
    assert.equal(await seen.isNew(b, ada), true);
    assert.equal(await seen.isNew(a, { ...ada, address: '192.0.2.2' }), true);
    assert.equal(await seen.isNew(a, { ...ada, userAgent: `${userAgent} other` }), true);
    at.now = 30 * minute - 1;
    assert.equal(await seen.isNew(a, ada), false);
    at.now = 30 * minute;
    assert.equal(await seen.isNew(a, ada), true);
  });

  it('count a household as one visitor, however many addresses it has', async () => {
    const seen = visits();
    assert.equal(await seen.isNew(a, { address: '2001:db8:1:2::1', userAgent }), true);
    assert.equal(await seen.isNew(a, { address: '2001:db8:1:2:ffff::9', userAgent }), false);
    assert.equal(await seen.isNew(a, { address: '2001:db8:1:3::1', userAgent }), true);
  });

  it('are limited for an address that uses many user agents', async () => {
    const seen = visits(3);
    const counted: boolean[] = [];
    for (const n of [1, 2, 3, 4, 5])
      counted.push(await seen.isNew(a, { address: '192.0.2.9', userAgent: `${userAgent} ${n}` }));
    assert.deepEqual(counted, [true, true, true, false, false]);
  });

  it('are not counted for robots and for clients without a user agent', async () => {
    const seen = visits();
    for (const robot of [
      '',
      'Mozilla/5.0 (compatible; Googlebot/2.1)',
      'Mozilla/5.0 HeadlessChrome/147.0',
      'curl/8.9',
      'facebookexternalhit/1.1 preview',
    ])
      assert.equal(await seen.isNew(a, { address: '192.0.2.3', userAgent: robot }), false, robot);
    const phone = 'Mozilla/5.0 (Linux; Android 10; CUBOT X30) Chrome/147.0 Mobile';
    assert.equal(await seen.isNew(a, { address: '192.0.2.3', userAgent: phone }), true);
  });

  it('may be counted again when they could not be written', async () => {
    const seen = visits();
    const ada = { address: '192.0.2.1', userAgent };
    await seen.isNew(a, ada);
    await seen.forget(a, ada);
    assert.equal(await seen.isNew(a, ada), true);
  });
});
