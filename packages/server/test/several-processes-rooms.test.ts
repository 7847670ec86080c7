import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { publishFiles, smallGame } from './files.ts';
import { message, type RoomMember } from './room-member.ts';
import { guestAt } from './room-ports.ts';
import { asks, firstPids, type Several, withSeveral } from './several-processes.ts';

const most = 16;

/** Publishes a space. Returns a function that makes guests of it. */
async function startPlaying(several: Several): Promise<(key?: string) => ReturnType<typeof guestAt>> {
  const creator = await several.test.creator();
  const { slug } = (await publishFiles(creator, smallGame, undefined, { live: true })).space;
  for (let live = 404; live !== 200; ) live = (await asks(several)(`/api/gallery/${slug}`)).status;
  return (key) => guestAt(several.test, { slug, port: several.server.listeningPort, key });
}

/** Returns the number of sockets that one process pipes to the other, which has the room. */
async function pipedSockets(several: Several): Promise<number> {
  const text = (await asks(several)('/metrics')).text();
  return Number(/^spaceport_room_piped_sockets (\d+)$/mu.exec(text)?.[1]);
}

/** Lets every member say something, and waits until each has heard all others. */
async function talk(members: readonly RoomMember[], word: string): Promise<void> {
  for (const { welcome, say } of members) say(message(`${word} of ${welcome.you}`));
  for (const one of members)
    for (const other of members) {
      const text = JSON.stringify(`${word} of ${other.welcome.you}`);
      if (other !== one) await one.until((told) => told.is === 'message' && told.data === text);
    }
}

describe('a room in one of two processes of a server', () => {
  it('accepts every member, whichever process a connection comes to', async () => {
    await withSeveral(async (several) => {
      const guest = await startPlaying(several);
      const first = await guest().enter({ how: 'create', max: most });
      const join = { how: 'join', code: first.ticket.code } as const;
      const last = guest();
      const others = await Promise.all(Array.from({ length: most - 2 }, () => guest().enter(join)));
      // The operating system chooses the process of a connection.
      let other = await last.enter(join);
      while ((await pipedSockets(several)) === 0) {
        await other.breakOff();
        other = await last.comeBack(other);
      }
      others.push(other);
      await talk([first, ...others], 'word');
      for (const one of others) assert.deepEqual(one.view.members.size, most);
    });
  });

  it('moves to the other process when its process is killed', async () => {
    await withSeveral(async (several) => {
      const guest = await startPlaying(several);
      const [ada, bob] = [guest(), guest()];
      const first = await ada.enter({ how: 'create' });
      // A room is in the process that got the request for it.
      const { process: owner } = await several.logged(({ path }) => path === '/api/player/rooms');
      const second = await bob.enter({ how: 'join', code: first.ticket.code });
      first.say({ is: 'set', key: 'level', value: '7' });
      await second.until((told) => told.is === 'set');
      const pid = (await firstPids(several))[owner === 1 ? 0 : 1];
      process.kill(pid, 'SIGKILL');
      await Promise.all([first.ended, second.ended]);
      const members = await Promise.all([ada.comeBack(first), bob.comeBack(second)]);
      await talk(members, 'again');
      const [back, other] = members;
      assert.deepEqual(back.view, other.view);
      assert.deepEqual(new Set(back.view.members.keys()), new Set([first.welcome.you, second.welcome.you]));
    });
  });
});
