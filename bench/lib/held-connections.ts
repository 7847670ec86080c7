import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';

const othersAtMost = 20;

/** Connections that somebody holds who means no good. */
export interface Held extends Disposable {
  /** Resolves once the service has let go of all of them. @returns seconds since they were opened */
  cut(withinSeconds: number): Promise<number>;
}

export interface Hold {
  readonly port: number;
  /** The service's process, by whose open files its end of a connection is seen: who reads nothing sees no end. */
  readonly pid: number;
  readonly count: number;
  /** What is sent at once, of the connection with that number. */
  readonly first: (at: number) => string | Uint8Array;
  /** What is sent every second after that. */
  readonly drip?: string;
  /** Nothing of what comes back is read. */
  readonly reads: boolean;
}

/** Opens all of them and has each send what it sends first. */
export async function hold({ port, pid, count, first, drip, reads }: Hold): Promise<Held> {
  const began = performance.now();
  const filesOf = () => readdirSync(`/proc/${pid}/fd`).length;
  const before = filesOf();
  const sockets: Socket[] = [];
  await Promise.all(
    Array.from({ length: count }, async (_, at) => {
      const socket = connect(port, '127.0.0.1');
      sockets.push(socket);
      socket.on('error', () => {});
      if (reads) socket.resume();
      await new Promise<void>((resolve) => {
        socket.once('connect', () => {
          socket.write(first(at));
          resolve();
        });
        socket.once('close', () => resolve());
      });
    }),
  );
  const timer = setInterval(() => {
    for (const socket of sockets) if (drip !== undefined && socket.writable) socket.write(drip);
  }, 1_000);
  return {
    async cut(withinSeconds) {
      const spent = () => (performance.now() - began) / 1_000;
      // Some of its own come and go.
      while (filesOf() > before + othersAtMost && spent() < withinSeconds)
        await new Promise((resolve) => setTimeout(resolve, 200));
      return spent();
    },
    [Symbol.dispose]() {
      clearInterval(timer);
      for (const socket of sockets) socket.destroy();
    },
  };
}
