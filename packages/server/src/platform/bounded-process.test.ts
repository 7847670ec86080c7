import assert from 'node:assert/strict';
import { constants } from 'node:buffer';
import { it } from 'node:test';
import { startOf } from './bounded-process.ts';

it('of what a process says, the start is kept, however much it says', async () => {
  const chunk = Buffer.alloc(1024 * 1024, 'o');
  async function* muchMoreThanATextHolds(): AsyncGenerator<Buffer> {
    yield Buffer.from('The reason. ');
    for (let sent = 0; sent < constants.MAX_STRING_LENGTH; sent += chunk.length) yield chunk;
  }
  const start = await startOf(muchMoreThanATextHolds(), 2_000);
  assert.equal(start.length, 2_000);
  assert.match(start.toString(), /^The reason\. o+$/u);
});
