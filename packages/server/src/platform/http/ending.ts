import type { IncomingMessage, ServerResponse } from 'node:http';
import { release } from '../blobs/release.ts';
import { networkOf } from '../limits/address-network.ts';
import { partTurns } from './loop-turns.ts';

/** For how long, and for how many bytes, a connection that we end is still read. */
const lingerMs = 2_000;
const lingerBytes = 8 * 1024 * 1024;
const lookMs = 100;
/** The estimated time of one read, which the event loop does after we ask for it. */
const readMs = 0.5;

const lingering = new WeakSet<object>();

/** Returns whether the connection of a request ends with the response to an earlier one. */
export function isEnding({ socket }: IncomingMessage): boolean {
  return lingering.has(socket);
}

/**
 * Makes sure that the response to an unread body reaches the client. Closing a socket with unread bytes
 * resets the connection, and the response is lost (RFC 9112 §9.6). So what still arrives is read and dropped
 * for a moment.
 */
export function endAfterAnswer({ socket, req }: ServerResponse): void {
  // The socket is gone if the reader of the body has given up.
  if (socket === null || lingering.has(socket)) return;
  lingering.add(socket);
  const network = () => networkOf(socket.remoteAddress ?? '');
  // Node calls this once the response is written and the connection has to end.
  socket.destroySoon = () => {
    if (socket.destroyed) return;
    const upTo = socket.bytesRead + lingerBytes;
    const endAt = performance.now() + lingerMs;
    const look = setInterval(() => {
      if (performance.now() < endAt && socket.bytesRead <= upTo) return;
      clearInterval(look);
      // Closing frees the kernel's buffers, which may be megabytes and take time.
      partTurns.take(network, () => void socket.destroy(), readMs);
    }, lookMs);
    socket.once('close', () => clearInterval(look));
    socket.end();
    if (req.destroyed || req.listenerCount('readable') > 0) socket.resume();
    else drop(req, network);
  };
  // By itself, Node would drop a body that nobody reads, megabytes at a time.
  req.pause();
  if (req.listenerCount('readable') > 0) req.read(0);
  else req.read();
}

/** Reads and drops the rest of a body, one part in each turn. */
function drop(request: IncomingMessage, network: () => string): void {
  const { socket } = request;
  const goOn = () => void request.resume();
  request.on('data', (part: Buffer) => {
    request.pause();
    if (request.listenerCount('data') === 1) release([part]);
    partTurns.take(network, goOn, readMs);
  });
  // The end of the connection is only noticed while it is read.
  request.once('end', () => socket.resume());
  partTurns.take(network, goOn, readMs);
}
