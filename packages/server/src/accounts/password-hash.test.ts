import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hashPassword, isPassword } from './password-hash.ts';

/** Hashes as an earlier release stored them. */
const kept = {
  'correct horse':
    '34b9a2b8ea46d16755781763dac95196:c46307db00c094ee7f62d3d29f2eb78c419e14dabaeffde36904f2d6902815cad54ecbc258e6c6a7fde60f4474a85279bc3f91e5a1b112d9a653a1dd1e407b99',
  'pa\u0308ss \uFB01sh':
    '798a13c4352febb2c43c64d38f800ea3:1fc314762181cc99c09c76f7f32e2f239389e80dd592eb5d9f0d6b777264cce74e4e0e3230703c81f514b46427bfb80143da042a2ec7d01aac4cc1ab34228fdc',
};

describe('a stored password', () => {
  it('is matched by the password that was hashed, and by no other', async () => {
    const hash = await hashPassword('a long password');
    assert.match(hash, /^[0-9a-f]{32}:[0-9a-f]{128}$/u);
    assert.notEqual(await hashPassword('a long password'), hash);
    assert.equal(await isPassword(hash, 'a long password'), true);
    for (const other of ['a long passworD', 'a long password ', ''])
      assert.equal(await isPassword(hash, other), false, other);
  });

  it('is matched when it was stored by an earlier release, in any Unicode normalization', async () => {
    for (const [password, hash] of Object.entries(kept)) {
      assert.equal(await isPassword(hash, password), true);
      assert.equal(await isPassword(hash, password.normalize('NFKC')), true);
      assert.equal(await isPassword(hash, `${password}.`), false);
    }
  });

  it('is checked with its own cost, which is stored with it when it is not the default', async () => {
    const hash = await hashPassword('a long password', { N: 16, r: 1 });
    assert.match(hash, /^16,1:[0-9a-f]{32}:[0-9a-f]{128}$/u);
    assert.equal(await isPassword(hash, 'a long password'), true);
    assert.equal(await isPassword(hash, 'a long passworD'), false);
    assert.equal(await isPassword(hash.replace('16,1:', ''), 'a long password'), false);
  });

  it('is matched by nothing when the stored hash is missing or damaged', async () => {
    for (const hash of [null, '', ':', '::', 'x:y:z', 'no hash', `${'0'.repeat(32)}:${'0'.repeat(126)}`])
      assert.equal(await isPassword(hash, 'a long password'), false, String(hash));
  });

  it('is hashed off the main thread, and every concurrent check gets its answer', async () => {
    let others = 0;
    const counting = setInterval(() => (others += 1), 0);
    const hash = await hashPassword('first');
    const answers = await Promise.all(
      ['first', 'b', 'first', 'c', 'd'].map((word) => isPassword(hash, word)),
    );
    clearInterval(counting);
    assert.deepEqual(answers, [true, false, true, false, false]);
    assert.ok(others > 0);
  });
});
