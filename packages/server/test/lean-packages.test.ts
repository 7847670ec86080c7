import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { changed } from '../build/lean-packages.ts';

describe('packages that the build changes', () => {
  const change = { file: '/a.js', replaced: [["const tls = require('tls')", '']] } as const;

  it('are changed at each place of the replaced text', () => {
    const everywhere = { file: '/a.js', replaced: [['tls.', "require('tls')."]] } as const;
    assert.equal(changed(everywhere, 'tls.a; tls.b'), "require('tls').a; require('tls').b");
  });

  it('fail the build when they do not contain the text to replace', () => {
    assert.throws(() => changed(change, "const { connect } = require('tls')"), /a\.js has no «const tls/u);
  });
});
