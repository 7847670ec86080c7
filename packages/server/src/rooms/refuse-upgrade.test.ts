import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { roomProtocol, ticketPrefix } from '@spaceport/contract/room-protocol';
import { publishLive } from '../../test/files.ts';
import { guestPlayer } from '../../test/played.ts';
import { originOf, ticketTo } from '../../test/room-member.ts';
import { startService, type TestService } from '../../test/service.ts';
import '../../test/one-engine.ts';

describe('a refused socket of a room', () => {
  let service: TestService;
  let slug: string;
  before(async () => {
    service = await startService();
    slug = (await publishLive(service, await service.creator())).space.slug;
  });
  after(() => service.close());

  it('is answered like every call', async () => {
    const newTicket = () => ticketTo(guestPlayer(service), slug, { how: 'create' });
    const one = await newTicket();
    const nowhere = `${service.baseUrl}/api/player/rooms/room_0000000000000000`;
    const from = originOf(service, slug);
    const cases: Case[] = [
      { url: nowhere, ticket: one.ticket, error: [404, 'not_found'] },
      { url: one.url, ticket: 'none', error: [401, 'unauthorized'] },
      { url: one.url, ticket: one.ticket, origin: 'https://evil.example', error: [403, 'forbidden'] },
      { ...(await newTicket()), version: '12', error: [400, 'invalid'] },
      { ...(await newTicket()), key: 'short', error: [400, 'invalid'] },
    ];
    for (const { url, ticket, origin = from, version = '13', key = 'A'.repeat(22), error } of cases) {
      const answer = await service.get(url.replace(/^ws/u, 'http'), {
        headers: {
          connection: 'upgrade',
          upgrade: 'websocket',
          origin,
          'sec-websocket-version': version,
          'sec-websocket-key': `${key}==`,
          'sec-websocket-protocol': `${roomProtocol}, ${ticketPrefix}${ticket}`,
        },
      });
      const { headers } = answer;
      assert.deepEqual([answer.status, answer.json().error], error);
      assert.match(String(headers['x-request-id']), /^[0-9a-f-]{36}$/u);
      assert.deepEqual(
        [headers['content-type'], headers['cache-control'], headers['x-content-type-options']],
        ['application/json; charset=utf-8', 'no-store', 'nosniff'],
      );
      assert.equal(headers['www-authenticate'], answer.status === 401 ? 'Bearer' : undefined);
    }
  });
});

interface Case {
  readonly url: string;
  readonly ticket: string;
  readonly origin?: string;
  readonly version?: string;
  readonly key?: string;
  readonly error: [number, string];
}
