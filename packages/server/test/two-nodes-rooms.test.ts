import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { spellRestore } from '@spaceport/contract/room-protocol';
import { publishLive } from './files.ts';
import { guestPlayer, type PlayingVisitor } from './played.ts';
import { rawRequest } from './raw-http.ts';
import { comeIn, message, messagesOf, originOf, type RoomMember, ticketTo } from './room-member.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';
import './several-nodes.ts';
import { startService, type TestService } from './service.ts';

describe('a room with members on two nodes', () => {
  let service: TestService;
  let slug: string;
  let shared: Record<string, string>;
  const processes: ServerProcess[] = [];
  before(async () => {
    service = await startService();
    slug = (await publishLive(service, await service.creator())).space.slug;
    const { BASE_URL, PLAY_HOST, PREVIEW_HOST } = service.service.config;
    shared = { ...service.environment, BASE_URL, PLAY_HOST, PREVIEW_HOST, PORT: '0' };
  });
  after(async () => {
    await Promise.all(processes.map((node) => node.end('SIGKILL')));
    await service.close();
  });

  async function startNode(): Promise<ServerProcess> {
    const node = await startServerProcess(shared, { role: 'serve' });
    processes.push(node);
    return node;
  }

  /** A guest whose calls go to one node. */
  function guestAt({ listeningPort }: ServerProcess, key?: string) {
    const at: TestService = Object.create(service, {
      get: { value: (url: string, options = {}) => rawRequest(listeningPort, url, options) },
    });
    return guestPlayer(at, key);
  }

  async function enterAt(node: ServerProcess, guest: PlayingVisitor, code?: string): Promise<RoomMember> {
    const way = code === undefined ? ({ how: 'create' } as const) : ({ how: 'join', code } as const);
    return comeIn(await ticketTo(guest, slug, way), originOf(service, slug), undefined, node.listeningPort);
  }

  /** As the module does it: asks until there is a process that has the room. */
  async function comeBackAt(
    node: ServerProcess,
    guest: PlayingVisitor,
    before: RoomMember,
  ): Promise<RoomMember> {
    const way = { how: 'join', code: before.ticket.code } as const;
    for (;;) {
      try {
        const ticket = await ticketTo(guest, slug, way);
        return await comeIn(ticket, originOf(service, slug), before, node.listeningPort);
      } catch {
        await pause(50);
      }
    }
  }

  it('passes everything on in order, whichever node they came in by', async () => {
    const [left, right] = [await startNode(), await startNode()];
    const first = await enterAt(left, guestAt(left));
    const second = await enterAt(right, guestAt(right), first.ticket.code);
    for (let at = 0; at < 50; at++) {
      first.say(message(at));
      second.say(message(at));
    }
    for (const one of [first, second]) {
      await one.until((told) => told.is === 'message' && told.data === '49');
      assert.deepEqual(
        messagesOf(one),
        Array.from({ length: 50 }, (_, at) => at),
      );
    }
    assert.deepEqual(first.view, second.view);
  });

  it('goes on at another when the one that has it is killed, with its members and its state', async () => {
    const [left, right] = [await startNode(), await startNode()];
    const [ada, bob] = [guestAt(left), guestAt(right)];
    const first = await enterAt(left, ada);
    const second = await enterAt(right, bob, first.ticket.code);
    first.say({ is: 'set', key: 'level', value: '7' });
    for (const one of [first, second]) await one.until((told) => told.is === 'set');
    // What is in the row is written a moment after it happened.
    const { db } = service.service.platform.database;
    const written = () =>
      db.selectFrom('rooms').select('member_count').where('code', '=', first.ticket.code).executeTakeFirst();
    while ((await written())?.member_count !== 2) await pause(20);
    const known = { state: [...second.view.values], version: second.view.version };
    await left.end('SIGKILL');
    await Promise.all([first.ended, second.ended]);
    const back = await comeBackAt(right, bob, second);
    assert.equal(back.welcome.restore, true);
    back.socket.send(spellRestore([...known.state], known.version));
    const other = await comeBackAt(right, guestAt(right, ada.key), first);
    for (const one of [back, other]) one.say(message('back'));
    for (const one of [back, other]) await one.until((told) => told.is === 'message');
    assert.deepEqual([...back.view.values], [['level', '7']]);
    assert.deepEqual(back.view, other.view);
    assert.deepEqual([...back.view.members.keys()], [first.welcome.you, second.welcome.you]);
    assert.ok([...back.view.members.values()].every(({ here }) => here));
  });

  it('goes on at another at once when the one that has it is told to end', async () => {
    const [left, right] = [await startNode(), await startNode()];
    const first = await enterAt(left, guestAt(left));
    const bob = guestAt(right);
    const second = await enterAt(right, bob, first.ticket.code);
    await left.end('SIGTERM');
    assert.deepEqual(await Promise.all([first.ended, second.ended]), ['moved', 'moved']);
    const back = await comeBackAt(right, bob, second);
    assert.equal(back.view.host, second.welcome.you);
  });
});
