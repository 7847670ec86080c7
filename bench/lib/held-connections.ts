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

/** Connections that somebody holds who means no good. */
export interface Held extends AsyncDisposable {
  /** Resolves once the service has let go of all of them. @returns seconds since they were opened */
  cut(withinSeconds: number): Promise<number>;
}

export interface Hold {
  readonly port: number;
  readonly count: number;
  /** What is sent at once: the text of the connection with that number, or of all alike. */
  readonly first: string | readonly string[];
  /** So many bytes of a body are sent after that. */
  readonly bodyBytes?: number;
  /** What is sent every second after that. */
  readonly drip?: string;
  /** Nothing of what comes back is read. */
  readonly reads: boolean;
}

/**
 * Opens all of them, and has each send what it sends first: in a process of its own that gives way to this one, so that what it
 * costs is not taken for the server's delay. `pid` is the server's process, by whose open files its end of a
 * connection is seen: who reads nothing sees no end.
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
      // The server takes them one after the other.
      await pause(takeMs);
      // Some of its own come and go.
      while (filesOf() > before + othersAtMost && spent() < withinSeconds) await pause(lookMs);
      return spent();
    },
    [Symbol.asyncDispose]: () => end(child, 'SIGKILL'),
  };
}

/** Opens them, says so, and holds them until it is killed. */
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
  // What `hold` has written.
  await open(JSON.parse(text) as Hold);
}
