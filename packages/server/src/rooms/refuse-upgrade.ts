import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

export type RefusedStatus = 401 | 403 | 404 | 409 | 503;

/** Answers in the place of a socket. Scripts are not told why: whoever wants to know asks for another ticket. */
export function refuseUpgrade(socket: Duplex, status: RefusedStatus): void {
  if (!socket.writable) return void socket.destroy();
  socket.once('finish', () => socket.destroy());
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\nCache-Control: no-store\r\n\r\n`,
  );
}
