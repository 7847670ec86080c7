import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

export type RefusedStatus = 401 | 403 | 404 | 409 | 503;

/**
 * Answers a refused upgrade. Scripts cannot read the reason: they get it when they ask for another ticket.
 */
export function refuseUpgrade(socket: Duplex, status: RefusedStatus): void {
  if (!socket.writable) return void socket.destroy();
  socket.once('finish', () => socket.destroy());
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\nCache-Control: no-store\r\n\r\n`,
  );
}
