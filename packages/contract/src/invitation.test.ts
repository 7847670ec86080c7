import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { pagePathOf } from './content-labels.ts';
import { frameOpenedWith, handedParameter, invitationTo } from './invitation.ts';

const page = 'https://arcade.example/s/moon-hopper';
const frame = 'https://moon-hopper.play.example/~7/';

describe('an invitation', () => {
  it('passes its parameters to the space', () => {
    const pairs = fc.array(fc.tuple(fc.string({ maxLength: 10 }), fc.string({ maxLength: 20 })), {
      minLength: 1,
      maxLength: 5,
    });
    fc.assert(
      fc.property(pairs, fc.option(fc.constant('ABCDE')), (given, room) => {
        const query = new URLSearchParams(given).toString();
        const link = new URL(invitationTo(page, { room, query }));
        assert.equal(link.searchParams.get('room'), room);
        const opened = new URL(frameOpenedWith(frame, link.searchParams.get(handedParameter)));
        assert.deepEqual([...opened.searchParams], [...new URLSearchParams(query)]);
        assert.equal(opened.origin + opened.pathname, frame);
      }),
    );
  });

  it('without parameters, or with invalid ones, opens the space as usual', () => {
    assert.equal(invitationTo(page, { room: null, query: '' }), page);
    for (const given of [undefined, null, '', 'x'.repeat(1_001), 7])
      assert.equal(frameOpenedWith(frame, given), frame);
    assert.equal(frameOpenedWith(frame, 'a=b#c&d'), `${frame}?a=b%23c&d=`);
  });

  it('leads to the page that belongs to the label in the address', () => {
    assert.deepEqual(['moon-hopper', 'u--moon-hopper', 'p--abc'].map(pagePathOf), [
      '/s/moon-hopper',
      '/s/moon-hopper',
      '/preview/p--abc',
    ]);
  });
});
