import type { IncomingMessage, ServerResponse } from 'node:http';

/** How long a connection that we end is still read from, and how many bytes of it. */
const lingerMs = 2_000;
const lingerBytes = 8 * 1024 * 1024;
const lookMs = 100;

const lingering = new WeakSet<object>();

/** Whether a request came on a connection that ends with an answer before it. */
export function isEnding({ socket }: IncomingMessage): boolean {
  return lingering.has(socket);
}

/**
 * Lets the answer to a body that is not read reach whoever sends it. A socket that is closed with bytes unread resets the
 * connection, and the answer is lost with it (RFC 9112 §9.6): what still comes is read and dropped for a moment.
 */
export function endAfterAnswer({ socket }: ServerResponse): void {
  // Gone already, where whoever read the body has given it up.
  if (socket === null || lingering.has(socket)) return;
  lingering.add(socket);
  // What Node calls once the answer is written and the connection is to end.
  socket.destroySoon = () => {
    if (socket.destroyed) return;
    const upTo = socket.bytesRead + lingerBytes;
    const endAt = performance.now() + lingerMs;
    const look = setInterval(() => {
      if (performance.now() >= endAt || socket.bytesRead > upTo) socket.destroy();
    }, lookMs);
    socket.once('close', () => clearInterval(look));
    socket.end();
    socket.resume();
  };
}
