import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { addressOf, type EveryCaller, firstOf, inTurn, openForAll } from './every-caller.ts';
import { listing } from './files.ts';
// These requests are refused before any query, so one engine is enough.
import './one-engine.ts';

describe('every operation, given a hostile body', () => {
  let all: EveryCaller;
  before(async () => {
    all = await openForAll();
  });
  after(() => all.service.close({ allowFailedJobs: true }));

  for (const operation of inTurn) {
    const { id, method, path, body } = operation;
    it(`${id} answers bodies that are made to exhaust it`, async () => {
      all.service.clock.advance({ hours: 1 });
      for (const [name, text] of Object.entries(exhausting)) {
        const answer = await all.service.anonymous.call(
          method,
          addressOf(path, { params: firstOf(all.known), query: undefined }),
          text,
          all.headersOf(operation),
        );
        const { status } = answer;
        assert.ok(status < 500 || status === 503, `${name}: ${status}`);
        assert.ok(answer.body.length < 100_000, `${name}: ${answer.body.length} bytes`);
        // Bodies of sign-in operations may have additional fields, which are ignored.
        if (body !== undefined && method !== 'GET' && !/many fields|long name|sizes/u.test(name))
          assert.ok(status >= 400, `${name}: ${status}`);
      }
    });

    if (method !== 'GET')
      it(`${id} ends a request whose body is not as long as it declares`, async () => {
        all.service.clock.advance({ hours: 1 });
        const target = new URL(
          addressOf(path, { params: firstOf(all.known), query: undefined }),
          all.service.baseUrl,
        );
        const head = { ...all.headersOf(operation), host: target.host, connection: 'close' };
        const lines = Object.entries(head).map(([header, value]) => `${header}: ${value}`);
        const open = (length: number, sent: string) =>
          exchange(all.service.port, [
            `${method} ${target.pathname}${target.search} HTTP/1.1`,
            ...lines,
            `content-length: ${length}`,
            '',
            sent,
          ]);
        // Bytes behind the announced length are read as a second, invalid request. A body that is too short
        // never ends.
        const longer = await open(2, '{}GARBAGE').answer;
        assert.match(longer, /^HTTP\/1\.1 [1-4]\d\d |^HTTP\/1\.1 503 /u);
        const slow = open(50, '{');
        slow.socket.destroy();
        await slow.answer;
      });
  }
});

const many = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, index]));

const exhausting: Record<string, string> = {
  'many fields': JSON.stringify(many(2_000)),
  'many fields of a field': JSON.stringify({ fields: many(2_000), boards: [many(2_000)], page: many(2_000) }),
  'too many values': `{"files":[${'1,'.repeat(60_000)}1]}`,
  'a long name': JSON.stringify({ ['x'.repeat(60_000)]: 1, fields: { ['y'.repeat(40_000)]: 1 } }),
  'a depth': `${'{"fields":'.repeat(5_000)}1${'}'.repeat(5_000)}`,
  'sizes that lie': JSON.stringify({
    fields: listing,
    files: [-1, 0, 0.5, 2 ** 53, 1e308].map((size, at) => ({
      path: `${at}.txt`,
      sha256: 'a'.repeat(64),
      size,
    })),
  }),
  null: 'null',
  'too long': ' '.repeat(5 * 1024 * 1024),
};

/**
 * Sends these lines on a connection of its own. `answer` resolves with all that came back, when the
 * connection ends.
 */
function exchange(port: number, lines: readonly string[]): { socket: Socket; answer: Promise<string> } {
  const socket = connect(port, '127.0.0.1');
  const answer = new Promise<string>((resolve) => {
    let text = '';
    socket.on('data', (data) => {
      text += data.toString();
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(text));
  });
  socket.write(lines.join('\r\n'));
  return { socket, answer };
}
