import assert from 'node:assert/strict';
import { it } from 'node:test';
import { TestClock } from '../../test/clock.ts';
import type { Platform } from '../platform/context.ts';
import { createPost } from './post-event.ts';

it('an attempt takes as long as it takes, also if the clock is set meanwhile', async () => {
  const clock = new TestClock();
  const send = async () => {
    clock.advance({ hours: -1 });
    return { status: 200, body: Buffer.from('ok') };
  };
  const post = createPost({ clock, safeFetch: { send } as unknown as Platform['safeFetch'] });
  const target = { url: 'https://hooks.example.com/', key: Buffer.alloc(32) };
  const event = { event_id: 'evt', body: '{}' };
  const { ms, status } = await post(target as never, event as never, new AbortController().signal);
  assert.equal(status, 200);
  assert.ok(ms >= 0, String(ms));
});
