import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  beat,
  readRoomFrame,
  roomLimits,
  roomProtocol,
  spellHello,
  spellSaid,
  ticketPrefix,
} from '@spaceport/contract/room-protocol';
import WebSocket from 'ws';
import { seedSpace } from './board-data.ts';
import { openData } from './open-data.ts';
import type { RoomServer } from './room-load.ts';
import { createToken, startService } from './service.ts';

const manyTimes = '1000000000';

/** Starts the service with a space whose rooms guests join. */
export async function startRoomService(dataFolder: string): Promise<RoomServer> {
  await createToken(dataFolder);
  const slug = await seed(dataFolder);
  const service = await startService(dataFolder, {
    role: 'serve',
    environment: { ROOM_TICKETS_PER_MINUTE: manyTimes, CONNECTIONS_PER_ADDRESS: '0' },
  });
  const codes: (string | undefined)[] = [];
  return {
    pid: service.child.pid ?? 0,
    async enter(room, hear) {
      const code = codes[room];
      const way = code === undefined ? { how: 'create', max: roomLimits.mostMembers } : { how: 'join', code };
      const answer = await fetch(`${service.baseUrl}/api/player/rooms`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'sec-fetch-site': 'same-origin',
          authorization: `Guest ${randomBytes(32).toString('base64url')}`,
        },
        body: JSON.stringify({ space: slug, ...way }),
      });
      if (!answer.ok) throw new Error(await answer.text());
      const ticket = (await answer.json()) as { url: string; ticket: string; code: string };
      codes[room] = ticket.code;
      const socket = new WebSocket(ticket.url, [roomProtocol, ticketPrefix + ticket.ticket], {
        origin: service.baseUrl,
        perMessageDeflate: false,
      });
      await once(socket, 'open');
      socket.send(spellHello({ epoch: null, got: 0, sent: 0, version: 0 }));
      const welcome = once(socket, 'message');
      socket.on('message', (data: Buffer) => {
        const frame = readRoomFrame(data.toString());
        if (frame?.is === 'beat') socket.send(beat);
        if (frame?.is === 'told' && frame.told.is === 'message') hear(String(frame.told.data));
      });
      await welcome;
      return {
        say: (data) => socket.send(spellSaid({ is: 'message', to: '', data })),
        async close() {
          socket.terminate();
        },
      };
    },
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}

async function seed(dataFolder: string): Promise<string> {
  await using data = await openData(dataFolder);
  return (await seedSpace(data.platform, 'bench')).slug;
}
