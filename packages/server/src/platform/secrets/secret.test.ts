import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { issueSecret, secretInText, secretKind, secretKinds } from './secret.ts';

describe('secrets', () => {
  it('name their kind, and are never equal', () => {
    for (const kind of secretKinds) {
      const secret = issueSecret(kind);
      assert.equal(secretKind(secret), kind);
      assert.match(secret, new RegExp(`^sp_${kind}_`, 'u'));
      assert.notEqual(secret, issueSecret(kind));
    }
  });

  it('are distinguished from other text and by kind without a lookup', () => {
    const secret = issueSecret('token');
    const flipped = `${secret.slice(0, 20)}${secret[20] === 'a' ? 'b' : 'a'}${secret.slice(21)}`;
    for (const wrong of [
      '',
      'sp_token_',
      secret.slice(0, -1),
      `${secret}a`,
      flipped,
      secret.replace('token', 'claim'),
    ]) {
      assert.equal(secretKind(wrong), null, wrong);
    }
  });

  it('are found inside a text', () => {
    const secret = issueSecret('secret');
    assert.deepEqual(`const a="${secret}";`.match(secretInText), [secret]);
  });
});
