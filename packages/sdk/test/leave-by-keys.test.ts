import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leaveByKeys } from '../src/leave-by-keys.ts';

test('a game hears every Tab but the one after Escape', () => {
  const frame = new EventTarget();
  leaveByKeys(frame as Window);
  const heard: string[] = [];
  frame.addEventListener('keydown', (event) => heard.push(Reflect.get(event, 'key')));
  for (const key of ['Tab', 'Escape', 'a', 'Tab', 'Escape', 'Tab', 'Shift', 'Tab', 'b', 'Tab'])
    frame.dispatchEvent(Object.assign(new Event('keydown'), { key }));
  assert.deepEqual(heard, ['Tab', 'Escape', 'a', 'Tab', 'Escape', 'Shift', 'b', 'Tab']);
});
