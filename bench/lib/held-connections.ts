import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setPriority } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { end, start } from './processes.ts';

const othersAtMost = 20;
const leastPriority = 19;
const lookMs = 200;
const takeMs = 2_000;

/** Connections that an attacker holds. */
export interface Held extends AsyncDisposable {
  /** Resolves when the service has closed all of them. @returns seconds since they were opened */
  cut(withinSeconds: number): Promise<number>;
}

export interface Hold {
  readonly port: number;
  readonly count: number;
  /** The text that is sent at once: one for each connection, or the same for all. */
  readonly first: string | readonly string[];
  /** Bytes of a body that are sent after that. */
  readonly bodyBytes?: number;
  /** Text that is sent every second after that. */
  readonly drip?: string;
  /** Whether answers are read. */
  readonly reads: boolean;
}

/**
 * Opens all connections, and sends the first text on each. This runs in a separate process with low priority,
 * so that its cost does not count as the server's delay. `pid` is the server's process: its open files show
 * when it closes a connection, because a client that reads nothing does not notice.
 */
export async function hold(pid: number, what: Hold): Promise<Held> {
  const began = performance.now();
  const filesOf = () => readdirSync(`/proc/${pid}/fd`).length;
  const before = filesOf();
  const child = start('load', process.execPath, [fileURLToPath(import.meta.url)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin?.end(JSON.stringify(what));
  if (!child.stdout) throw new Error('a process without output');
  await once(child.stdout, 'data');
  return {
    async cut(withinSeconds) {
      const spent = () => (performance.now() - began) / 1_000;
      // The server accepts them one after the other.
      await pause(takeMs);
      // The server opens and closes some files of its own.
      while (filesOf() > before + othersAtMost && spent() < withinSeconds) await pause(lookMs);
      return spent();
    },
    [Symbol.asyncDispose]: () => end(child, 'SIGKILL'),
  };
}

/** Opens the connections, reports that, and holds them until it is killed. */
async function open({ port, count, first, bodyBytes = 0, drip, reads }: Hold): Promise<void> {
  setPriority(leastPriority);
  const body = Buffer.alloc(bodyBytes, ' ');
  const sockets: Socket[] = [];
  const begin = async (at: number) => {
    const socket = connect(port, '127.0.0.1');
    sockets.push(socket);
    socket.on('error', () => {});
    if (reads) socket.resume();
    await new Promise<void>((resolve) => {
      socket.once('connect', () => {
        socket.write(typeof first === 'string' ? first : (first[at] ?? ''));
        if (bodyBytes > 0) socket.write(body);
        resolve();
      });
      socket.once('close', () => resolve());
    });
  };
  await Promise.all(Array.from({ length: count }, (_, at) => begin(at)));
  setInterval(() => {
    for (const socket of sockets) if (drip !== undefined && socket.writable) socket.write(drip);
  }, 1_000);
  process.stdout.write('begun\n');
}

if (import.meta.main) {
  let text = '';
  for await (const part of process.stdin.setEncoding('utf8')) text += part;
  // `hold` wrote this text.
  await open(JSON.parse(text) as Hold);
}
