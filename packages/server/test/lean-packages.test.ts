import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { changed } from '../build/lean-packages.ts';

describe('packages that are changed in the build', () => {
  const change = { file: '/a.js', replaced: [["const tls = require('tls')", '']] } as const;

  it('have each place of what is replaced changed', () => {
    const everywhere = { file: '/a.js', replaced: [['tls.', "require('tls')."]] } as const;
    assert.equal(changed(everywhere, 'tls.a; tls.b'), "require('tls').a; require('tls').b");
  });

  it('fail the build once they look otherwise', () => {
    assert.throws(() => changed(change, "const { connect } = require('tls')"), /a\.js has no «const tls/u);
  });
});
