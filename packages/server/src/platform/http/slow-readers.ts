import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** What a reader takes at least in a window of this length, as long as something waits for it. */
const leastBytes = 32 * 1024;
const windowMs = 30_000;
const lookEveryMs = 5_000;
const looksInWindow = windowMs / lookEveryMs;

/**
 * Lets connections go whose reader takes too little: whatever waits for it would be held for as long as it likes.
 * Speed is looked at over a sliding window, so that a byte now and then is as good as none; a reader for whom nothing
 * waits is never slow. It covers every answer, wherever it comes from, at no cost to any.
 */
export class SlowReaders {
  /** Bytes taken at each look since something began to wait, oldest first. */
  readonly #taken = new Map<Socket, number[]>();

  watch(socket: Socket): void {
    this.#taken.set(socket, []);
    socket.once('close', () => this.#taken.delete(socket));
  }

  /** One look at every connection; a window is six of them. */
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
 * How much of what was written the kernel has taken. Of a large write that is under way only the handle knows, which
 * Node's own idle timer asks too; the socket itself counts it when it is over.
 */
function takenBy(socket: Socket): number {
  const { _handle: handle } = socket as {
    _handle?: { bytesWritten?: number; writeQueueSize?: number } | null;
  };
  if (handle?.bytesWritten === undefined || handle.writeQueueSize === undefined)
    return socket.bytesWritten - socket.writableLength;
  return handle.bytesWritten - handle.writeQueueSize;
}

/** Looks after the server's connections from now on; returns how to stop. */
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
