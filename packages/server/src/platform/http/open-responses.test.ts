import assert from 'node:assert/strict';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { suite, test } from 'node:test';
import { OpenResponses } from './open-responses.ts';

const response = () => new ServerResponse(new IncomingMessage(new Socket()));

suite('the open responses', () => {
  test('are those that were added and have not been deleted', () => {
    const open = new OpenResponses();
    const kept = new Set<ServerResponse>();
    const added: ServerResponse[] = [];
    for (let step = 0; step < 60; step++) {
      const one = response();
      added.push(one);
      open.add(one);
      kept.add(one);
      // In an order of no meaning: some twice, some never.
      const gone = added[(step * 7) % added.length];
      if (gone && step % 3 !== 0) {
        open.delete(gone);
        kept.delete(gone);
      }
      assert.deepEqual(new Set(open), kept);
      assert.equal([...open].length, kept.size);
    }
  });

  test('are none when all have ended', () => {
    const open = new OpenResponses();
    const both = [response(), response()] as const;
    for (const one of both) open.add(one);
    for (const one of both) open.delete(one);
    assert.deepEqual([...open], []);
  });
});
