import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { installColyseus } from './lib/colyseus.ts';
import { temporaryFolder } from './lib/processes.ts';
import { type BenchResult, row } from './lib/result.ts';
import { handOvers } from './lib/room-hand-over.ts';
import { type RoomLoad, type RoomLoadOptions, type RoomServer, roomLoad } from './lib/room-load.ts';
import { startRoomService } from './lib/room-service.ts';
import { interleaved, median } from './lib/rounds.ts';

/** Rounds of the hand-over, each of which starts two processes. */
const handOverRounds = 5;
const rounds = Number(process.env.ROOM_ROUNDS ?? 3);
const load: RoomLoadOptions = {
  sockets: Number(process.env.ROOM_SOCKETS ?? 1_000),
  rooms: Number(process.env.ROOM_COUNT ?? 63),
  messagesPerSecond: 2,
  warmSeconds: 3,
  seconds: 10,
};

/** A thousand players in rooms of sixteen, beside the relay room of Colyseus. */
export async function bench(): Promise<BenchResult> {
  await using folder = await temporaryFolder();
  const startColyseus = await installColyseus(folder.path);
  let services = 0;
  const once = async (starting: Promise<RoomServer>): Promise<RoomLoad> => {
    await using server = await starting;
    return await roomLoad(server, load);
  };
  const ours = async () => {
    const data = join(folder.path, `data-${services++}`);
    await mkdir(data);
    return once(startRoomService(data));
  };
  const results = await interleaved(rounds, { ours, colyseus: () => once(startColyseus()) });
  const seconds = await handOvers(folder.path, handOverRounds);
  const of = (loads: readonly RoomLoad[], what: keyof RoomLoad, unit: string) => ({
    value: median(loads.map((each) => each[what])),
    unit,
  });
  const beside = (what: keyof RoomLoad, unit: string) =>
    [
      of(results.ours, what, unit),
      { name: 'Colyseus’ relay room', ...of(results.colyseus, what, unit) },
    ] as const;
  return {
    title: 'Rooms',
    method: `${load.sockets.toLocaleString('en')} sockets in ${load.rooms} rooms of one process on one core; each says some 70 bytes of JSON ${load.messagesPerSecond} times a second, spread evenly, which all others in its room get. Both keep nothing and relay by ws; ours reads each message to be sure that it is JSON, counts what it sends and keeps the last 64 KiB of it for each member. ${load.seconds} s after ${load.warmSeconds} s, ${rounds} rounds in turns, each with a new process; the median. The hand-over is apart: two nodes on PostgreSQL, a member by each with the module that games have; the node with the room is killed, and time goes until both are in it again, with its state; ${handOverRounds} rounds, the median. A delivery is one message to one member; its time is from the sender's socket to the reader's, both in the process that puts the load on.`,
    rows: [
      row('CPU time of a delivery', ...beside('cpuUs', 'µs'), { of: 'ratio', atMost: 1 }),
      row('… p99 of its time', ...beside('p99Ms', 'ms'), { of: 'ours', atMost: 20 }),
      row('… deliveries', ...beside('deliveriesPerSecond', 'a second')),
      row('memory that they take', ...beside('memoryMB', 'MB'), { of: 'ours', atMost: 120 }),
      row(
        'the node with a room is killed: all are back with the state',
        { value: median(seconds), unit: 's' },
        null,
        {
          of: 'ours',
          atMost: 5,
        },
      ),
    ],
  };
}
