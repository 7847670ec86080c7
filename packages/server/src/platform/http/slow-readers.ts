import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** The fewest bytes that a reader must take in a window while something waits for it. */
const leastBytes = 32 * 1024;
const windowMs = 30_000;
const lookEveryMs = 5_000;
const looksInWindow = windowMs / lookEveryMs;

/**
 * Ends connections whose reader is too slow, because the bytes that wait for it would be held without end.
 * The speed is measured over a sliding window, so that a byte now and then does not help. A reader for whom
 * nothing waits is never too slow. It covers all responses, and adds no work to any.
 */
export class SlowReaders {
  /** The bytes that were taken by each look since something began to wait, oldest first. */
  readonly #taken = new Map<Socket, number[]>();

  watch(socket: Socket): void {
    this.#taken.set(socket, []);
    socket.once('close', () => this.#taken.delete(socket));
  }

  /** Looks at every connection once. A window has six looks. */
  look(): void {
    for (const [socket, looks] of this.#taken) {
      const taken = takenBy(socket);
      if (taken >= socket.bytesWritten) looks.length = 0;
      else if (looks.length < looksInWindow) looks.push(taken);
      else {
        const before = looks.shift() ?? taken;
        if (taken - before < leastBytes) socket.destroy();
        else looks.push(taken);
      }
    }
  }
}

/**
 * Returns how many of the written bytes the kernel has taken. Only the handle knows that of a large write
 * under way; Node's own idle timer asks it too. The socket counts the write when it is over.
 */
function takenBy(socket: Socket): number {
  const { _handle: handle } = socket as {
    _handle?: { bytesWritten?: number; writeQueueSize?: number } | null;
  };
  if (handle?.bytesWritten === undefined || handle.writeQueueSize === undefined)
    return socket.bytesWritten - socket.writableLength;
  return handle.bytesWritten - handle.writeQueueSize;
}

/** Watches the server's connections from now on. Returns a function that stops it. */
export function cutSlowReaders(server: Server, everyMs = lookEveryMs): () => void {
  const readers = new SlowReaders();
  const watch = (socket: Socket) => readers.watch(socket);
  server.on('connection', watch);
  const timer = setInterval(() => readers.look(), everyMs);
  timer.unref();
  return () => {
    clearInterval(timer);
    server.off('connection', watch);
  };
}
