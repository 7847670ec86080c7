import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asToolRefusal } from './next-steps.ts';

test('what is too large for every way to publish is not sent to another one', () => {
  const refused = { code: 'too_large', message: 'Too much.', next: 'Leave something out.' };
  const nextOf = (more: object) => asToolRefusal({ ...refused, ...more }, 'https://spaceport.example').next;
  for (const limit of ['usedBytes', 'maxFileBytes', 'maxVersionBytes'])
    assert.equal(nextOf({ [limit]: 1 }), refused.next);
  assert.match(nextOf({ maxBodyBytes: 1 }) ?? '', /with the command line: npx --yes /u);
});
