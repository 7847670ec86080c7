import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wishOf } from './publish.ts';

test('a publish is answered before clients give up the call', () => {
  const files = [{ path: 'index.html', text: '1' }];
  const waitOf = (wait?: number) => wishOf({ files, wait }).query.wait;
  assert.deepEqual([waitOf(60), waitOf(20), waitOf(0), waitOf()], ['45', '20', '0', undefined]);
});
