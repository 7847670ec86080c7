import type { IncomingMessage, ServerResponse } from 'node:http';
import { networkOf } from '../limits/address-network.ts';
import { LoopTurns } from './loop-turns.ts';

/** How long a connection that we end is still read from, and how many bytes of it. */
const lingerMs = 2_000;
const lingerBytes = 8 * 1024 * 1024;
const lookMs = 100;
/** What is dropped in one turn of the event loop: many bodies that nobody wants hold nobody up. */
const drops = new LoopTurns(64 * 1024);

const lingering = new WeakSet<object>();

/** Whether a request came on a connection that ends with an answer before it. */
export function isEnding({ socket }: IncomingMessage): boolean {
  return lingering.has(socket);
}

/**
 * Lets the answer to a body that is not read reach whoever sends it. A socket that is closed with bytes unread resets the
 * connection, and the answer is lost with it (RFC 9112 §9.6): what still comes is read and dropped for a moment.
 */
export function endAfterAnswer({ socket, req }: ServerResponse): void {
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
    if (req.destroyed || req.listenerCount('readable') > 0) socket.resume();
    else drop(req);
  };
  // A body that nobody has begun to read Node drops by itself, megabytes at a time.
  req.pause();
  req.read(0);
}

/** Reads what comes of a body, a part in each turn. */
function drop(request: IncomingMessage): void {
  const { socket } = request;
  const network = networkOf(socket.remoteAddress ?? '');
  request.on('data', (part: Buffer) => {
    request.pause();
    drops.take(network, part.length, () => request.resume());
  });
  // Whoever sends ends the connection; that is seen only where it is read from.
  request.once('end', () => socket.resume());
  request.resume();
}
