import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { spellRestore } from '@spaceport/contract/room-protocol';
import { publishLive } from './files.ts';
import { freePort } from './free-port.ts';
import { message, messagesOf } from './room-member.ts';
import { guestAt } from './room-ports.ts';
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

  async function startNode(
    settings: Record<string, string> = {},
    options: { onLine?: (line: string) => void; preload?: URL } = {},
  ): Promise<ServerProcess> {
    const node = await startServerProcess({ ...shared, ...settings }, { role: 'serve', ...options });
    processes.push(node);
    return node;
  }

  const at = ({ listeningPort: port }: ServerProcess, key?: string) => guestAt(service, { slug, port, key });

  it('passes all messages on in order, whichever node their sender is connected to', async () => {
    const [left, right] = [await startNode(), await startNode()];
    const first = await at(left).enter({ how: 'create' });
    const second = await at(right).enter({ how: 'join', code: first.ticket.code });
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

  it('gets players who ask both nodes for a match at the same moment', async () => {
    const nodes = [await startNode(), await startNode()];
    const guests = [...nodes, ...nodes, ...nodes].map((node) => at(node));
    const members = await Promise.all(guests.map((guest) => guest.enter({ how: 'quick' })));
    assert.equal(new Set(members.map(({ ticket }) => ticket.code)).size, 1);
    for (const { until, view } of members) {
      if (view.members.size < guests.length)
        await until(({ is }) => is === 'join' && view.members.size === guests.length);
      assert.equal(view.members.size, guests.length);
    }
  });

  it('is missed by a node whose address another one names as its own, and the log says so', async () => {
    const port = String(await freePort());
    const NODE_ADDRESS = `127.0.0.1:${port}`;
    const lines: string[] = [];
    const told = Promise.withResolvers<void>();
    const onLine = (line: string) => {
      if (!line.includes('has the same NODE_ADDRESS')) return;
      lines.push(line);
      told.resolve();
    };
    const right = await startNode({ PORT: port, NODE_ADDRESS }, { onLine });
    const left = await startNode({ NODE_ADDRESS });
    const first = await at(left).enter({ how: 'create' });
    for (const _ of [1, 2]) {
      const entering = at(right).enter({ how: 'join', code: first.ticket.code });
      await assert.rejects(entering, /503/u);
    }
    await told.promise;
    assert.equal(lines.length, 1);
  });

  it('stays where it is while the clocks of the nodes differ, and can be entered through each of them', async () => {
    const behind = 'data:text/javascript,const now = Date.now; Date.now = () => now() - 10_000;';
    const [left, right] = [await startNode({}, { preload: new URL(behind) }), await startNode()];
    for (const [here, there] of [
      [left, right],
      [right, left],
    ] as const) {
      const first = await at(here).enter({ how: 'create' });
      const second = await at(there).enter({ how: 'join', code: first.ticket.code });
      second.say(message('same room'));
      await first.until((told) => told.is === 'message' && told.data === '"same room"');
      assert.deepEqual(first.view, second.view);
    }
  });

  it('moves to the other node with its members and its state when its node is killed', async () => {
    const [left, right] = [await startNode(), await startNode()];
    const [ada, bob] = [at(left), at(right)];
    const first = await ada.enter({ how: 'create' });
    const second = await bob.enter({ how: 'join', code: first.ticket.code });
    first.say({ is: 'set', key: 'level', value: '7' });
    for (const one of [first, second]) await one.until((told) => told.is === 'set');
    // The row is written a moment after the event, so the test waits for it.
    const { db } = service.service.platform.database;
    const written = () =>
      db.selectFrom('rooms').select('member_count').where('code', '=', first.ticket.code).executeTakeFirst();
    while ((await written())?.member_count !== 2) await pause(20);
    const known = { state: [...second.view.values], version: second.view.version };
    await left.end('SIGKILL');
    await Promise.all([first.ended, second.ended]);
    const back = await bob.comeBack(second);
    assert.equal(back.welcome.restore, true);
    back.socket.send(spellRestore([...known.state], known.version));
    const other = await at(right, ada.key).comeBack(first);
    for (const one of [back, other]) one.say(message('back'));
    for (const one of [back, other]) await one.until((told) => told.is === 'message');
    assert.deepEqual([...back.view.values], [['level', '7']]);
    assert.deepEqual(back.view, other.view);
    assert.deepEqual([...back.view.members.keys()], [first.welcome.you, second.welcome.you]);
    assert.ok([...back.view.members.values()].every(({ here }) => here));
  });

  it('removes a member who floods it or sends garbage through another node, and tells the others', async () => {
    const [left, right] = [await startNode(), await startNode()];
    const first = await at(left).enter({ how: 'create' });
    const way = { how: 'join', code: first.ticket.code } as const;
    const second = await at(right).enter(way);
    const flooding = await at(right).enter(way);
    for (let said = 0; said < 500; said++) flooding.say(message(said));
    assert.equal(await flooding.ended, 'flood');
    const babbling = await at(right).enter(way);
    babbling.socket.send('?');
    assert.equal(await babbling.ended, 'garbage');
    for (const gone of [flooding, babbling])
      for (const one of [first, second])
        await one.until((told) => told.is === 'leave' && told.id === gone.welcome.you);
    second.say(message('still here'));
    await first.until((told) => told.is === 'message' && told.data === '"still here"');
    assert.deepEqual(first.view, second.view);
    assert.equal(first.view.members.size, 2);
  });

  it('moves to the other node at once when its node is shut down', async () => {
    const [left, right] = [await startNode(), await startNode()];
    const first = await at(left).enter({ how: 'create' });
    const bob = at(right);
    const second = await bob.enter({ how: 'join', code: first.ticket.code });
    await left.end('SIGTERM');
    assert.deepEqual(await Promise.all([first.ended, second.ended]), ['moved', 'moved']);
    const back = await bob.comeBack(second);
    assert.equal(back.view.host, second.welcome.you);
  });
});
