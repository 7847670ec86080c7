import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { Operation } from '@spaceport/contract/operation';
import { operations } from '@spaceport/contract/operations';
import fc from 'fast-check';
import { makeArena, makePlayers } from './arena.ts';
import { fileEntries, listing, smallGame } from './files.ts';
import { fromSchema, type Known } from './from-schema.ts';
import { startService, type TestService } from './service.ts';
import { type SignedUp, signUp } from './visitor.ts';

const runs = 25;

describe('every operation', () => {
  let service: TestService;
  let known: Known;
  let credentials: Partial<Record<Operation['credential'], Record<string, string>>>;
  let visitor: SignedUp;

  before(async () => {
    service = await startService();
    const arena = await makeArena(service, [
      { key: 'points' },
      { key: 'laps', metric: 'time', periods: ['day'] },
    ]);
    const players = await makePlayers(service, 3);
    const operator = await service.creator(undefined, { operator: true });
    const { creator, slug } = arena;
    await creator.call('PUT', `/api/spaces/${slug}/achievements`, {
      stats: [{ key: 'jumps', op: 'add' }],
      achievements: [{ key: 'jumper', trigger: { stat: 'jumps', atLeast: 3 } }],
    });
    const [player = ''] = players;
    const { submission } = await arena.score('points', player, 5);
    const { versions } = (await creator.call('GET', `/api/v1/hosting/spaces/${slug}/versions`)).json();
    const unlisted = await service.anonymous.call('POST', '/api/v1/hosting/versions', {
      fields: listing,
      files: fileEntries(smallGame),
    });
    const { claimToken, version, space } = unlisted.json();
    visitor = await signUp(service, { handle: 'fuzzy_one' });
    known = {
      slug: [slug, space.slug],
      space: [slug, space.slug],
      id: [versions[0].id, version.id, submission.id],
      submission: [submission.id],
      board: ['points', 'laps'],
      key: ['points', 'laps', 'jumps', 'jumper'],
      stat: ['jumps'],
      achievement: ['jumper'],
      player: [...players, creator.handle],
      handle: [...players, creator.handle],
      claim: [claimToken],
      number: [1, 2],
      version: [1],
    };
    credentials = {
      token: { authorization: `Bearer ${creator.token}` },
      token_or_none: { authorization: `Bearer ${creator.token}` },
      token_or_claim: { authorization: `Bearer ${creator.token}` },
      claim: { 'x-service-claim': claimToken },
      operator: { authorization: `Bearer ${operator.token}` },
      secret: { authorization: `Bearer ${arena.secret}` },
    };
  });
  after(() => service.close({ allowFailedJobs: true }));

  function headersOf({ credential }: Operation): Record<string, string> {
    const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const own = { 'sec-fetch-site': 'same-origin' };
    const signedIn = credential === 'session' || credential === 'player';
    return credentials[credential] ?? (signedIn ? { ...own, cookie } : own);
  }

  // Operators' come after the others, and what deletes at the end: they take away what the others work on.
  const deletes = new Set(['deleteSpace', 'deleteVersion', 'deleteAccount']);
  const turnOf = ({ id, tag }: Operation) => (deletes.has(id) ? 2 : Number(tag === 'Operators'));
  const inTurn = operations.toSorted((left, right) => turnOf(left) - turnOf(right));
  for (const operation of inTurn as readonly Operation[]) {
    const { id, method, path, params, query, body } = operation;
    it(`${id} answers what it promises, whatever it is sent`, async () => {
      // So that limits let the next ones through.
      service.clock.advance({ hours: 1 });
      const part = (schema: Operation['params']) =>
        schema === undefined ? fc.constant(undefined) : fromSchema(schema, known);
      const sent = fc.record({ params: part(params), query: part(query), body: part(body) });
      await fc.assert(
        fc.asyncProperty(sent, async (one) => {
          const answer = await service.anonymous.call(
            method,
            addressOf(path, one),
            one.body === undefined || method === 'GET' ? undefined : JSON.stringify(one.body),
            headersOf(operation),
          );
          // What the contract does not list, in shape or code, the watch makes a 500.
          assert.ok(answer.status < 500 || answer.status === 503, `${answer.status} ${answer.text()}`);
        }),
        { numRuns: runs },
      );
    });
    it(`${id} answers bodies made to exhaust it`, async () => {
      service.clock.advance({ hours: 1 });
      for (const [name, text] of Object.entries(exhausting)) {
        const answer = await service.anonymous.call(
          method,
          addressOf(path, { params: firstOf(known), query: undefined }),
          text,
          headersOf(operation),
        );
        const { status } = answer;
        assert.ok(status < 500 || status === 503, `${name}: ${status}`);
        assert.ok(answer.body.length < 100_000, `${name}: ${answer.body.length} bytes`);
        // Sign-in bodies may have fields that are not looked at.
        if (body !== undefined && method !== 'GET' && !/many fields|long name|sizes/u.test(name))
          assert.ok(status >= 400, `${name}: ${status}`);
      }
    });

    if (method !== 'GET')
      it(`${id} ends with a body that lies about its length`, async () => {
        service.clock.advance({ hours: 1 });
        const target = new URL(
          addressOf(path, { params: firstOf(known), query: undefined }),
          service.baseUrl,
        );
        const head = { ...headersOf(operation), host: target.host, connection: 'close' };
        const lines = Object.entries(head).map(([header, value]) => `${header}: ${value}`);
        const open = (length: number, sent: string) =>
          exchange(service.port, [
            `${method} ${target.pathname}${target.search} HTTP/1.1`,
            ...lines,
            `content-length: ${length}`,
            '',
            sent,
          ]);
        // More than was announced is another request, and none that is one; less is a body that never ends.
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

/** What comes back on a connection of its own, until it ends. */
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

/** Of each parameter, a value that is there. */
function firstOf(values: Known): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([name, [first]]) => [name, first]));
}

/** The path with its parameters and query filled in, as far as what was made up has them. */
function addressOf(path: string, { params, query }: { params: unknown; query: unknown }): string {
  const filled = path.replaceAll(/\{(\w+)\}/gu, (_, name: string) =>
    encodeURIComponent(String(fieldOf(params, name) ?? '~')).replaceAll('.', '%2E'),
  );
  const asked = new URLSearchParams(
    Object.entries(query instanceof Object ? query : {}).map(([name, value]) => [name, String(value)]),
  );
  return `${filled}?${asked}`;
}

function fieldOf(value: unknown, name: string): unknown {
  return value instanceof Object ? Reflect.get(value, name) : undefined;
}
