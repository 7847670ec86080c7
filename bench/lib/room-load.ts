import { setTimeout as pause } from 'node:timers/promises';
import { cpuSecondsOf, memoryOf } from './memory.ts';

/** A member of a room, with a socket. */
export interface RoomSocket {
  /** Sends to all other members. */
  say(text: string): void;
  close(): Promise<void>;
}

/** A server that relays messages between the members of a room. */
export interface RoomServer extends AsyncDisposable {
  readonly pid: number;
  /** Joins the room of that number; the first member opens it. */
  enter(room: number, hear: (text: string) => void): Promise<RoomSocket>;
}

export interface RoomLoad {
  /** The server's CPU time for one message to one member. */
  readonly cpuUs: number;
  readonly p99Ms: number;
  readonly deliveriesPerSecond: number;
  /** Growth of the server's memory by the sockets and rooms. */
  readonly memoryMB: number;
}

export interface RoomLoadOptions {
  readonly sockets: number;
  readonly rooms: number;
  readonly messagesPerSecond: number;
  readonly warmSeconds: number;
  readonly seconds: number;
}

/** A game's message about a movement. */
const move = { x: 123.25, y: 87.5, dx: -1, dy: 0, jump: false };
/** The load of a second is spread: messages that are sent at once would wait for each other here, and not in the server. */
const ticksPerSecond = 500;

/**
 * Fills rooms with members who send at a constant rate. Measures the server's cost, and the time of a message
 * from one of our sockets to another.
 */
export async function roomLoad(
  server: RoomServer,
  { sockets, rooms, messagesPerSecond, warmSeconds, seconds }: RoomLoadOptions,
): Promise<RoomLoad> {
  const before = memoryOf(server.pid).nowMB;
  let isMeasured = false;
  let deliveries = 0;
  const waits: number[] = [];
  const hear = (text: string) => {
    if (!isMeasured) return;
    deliveries++;
    const { at } = JSON.parse(text) as { at: number };
    waits.push(performance.now() - at);
  };
  const members: RoomSocket[] = [];
  for (let at = 0; at < sockets; at++) members.push(await server.enter(at % rooms, hear));

  let next = 0;
  let owed = 0;
  const talking = setInterval(() => {
    owed += (sockets * messagesPerSecond) / ticksPerSecond;
    for (; owed >= 1; owed--) {
      members[next % sockets]?.say(JSON.stringify({ at: performance.now(), ...move }));
      next++;
    }
  }, 1_000 / ticksPerSecond);
  await pause(warmSeconds * 1_000);
  const cpuBefore = cpuSecondsOf(server.pid);
  const began = performance.now();
  isMeasured = true;
  await pause(seconds * 1_000);
  isMeasured = false;
  const cpuSeconds = cpuSecondsOf(server.pid) - cpuBefore;
  const spent = (performance.now() - began) / 1_000;
  clearInterval(talking);
  const memoryMB = memoryOf(server.pid).nowMB - before;
  await Promise.all(members.map((member) => member.close()));
  waits.sort((one, other) => one - other);
  return {
    cpuUs: (cpuSeconds * 1e6) / deliveries,
    p99Ms: waits[Math.floor(waits.length * 0.99)] ?? Number.NaN,
    deliveriesPerSecond: deliveries / spent,
    memoryMB,
  };
}
