import type { IncomingMessage, ServerResponse } from 'node:http';
import { release } from '../blobs/release.ts';
import { networkOf } from '../limits/address-network.ts';
import { partTurns } from './loop-turns.ts';

/** How long a connection that we end is still read from, and how many bytes of it. */
const lingerMs = 2_000;
const lingerBytes = 8 * 1024 * 1024;
const lookMs = 100;
/** What a read costs the loop, which does it after we have asked for it. */
const readMs = 0.5;

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
  const network = () => networkOf(socket.remoteAddress ?? '');
  // What Node calls once the answer is written and the connection is to end.
  socket.destroySoon = () => {
    if (socket.destroyed) return;
    const upTo = socket.bytesRead + lingerBytes;
    const endAt = performance.now() + lingerMs;
    const look = setInterval(() => {
      if (performance.now() < endAt && socket.bytesRead <= upTo) return;
      clearInterval(look);
      // The kernel frees what it holds of it, which may be megabytes.
      partTurns.take(network, () => void socket.destroy(), readMs);
    }, lookMs);
    socket.once('close', () => clearInterval(look));
    socket.end();
    if (req.destroyed || req.listenerCount('readable') > 0) socket.resume();
    else drop(req, network);
  };
  // A body that nobody has begun to read Node drops by itself, megabytes at a time.
  req.pause();
  if (req.listenerCount('readable') > 0) req.read(0);
  else req.read();
}

/** Reads what comes of a body, a part in each turn. */
function drop(request: IncomingMessage, network: () => string): void {
  const { socket } = request;
  const goOn = () => void request.resume();
  request.on('data', (part: Buffer) => {
    request.pause();
    if (request.listenerCount('data') === 1) release([part]);
    partTurns.take(network, goOn, readMs);
  });
  // Whoever sends ends the connection; that is seen only where it is read from.
  request.once('end', () => socket.resume());
  partTurns.take(network, goOn, readMs);
}
