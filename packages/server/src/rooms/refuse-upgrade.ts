import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ErrorCode } from '@spaceport/contract/errors';
import { earlyHeaders } from '../platform/http/answer-early.ts';

export type RefusedStatus = 400 | 401 | 403 | 404 | 409 | 503;

/** How the socket of an unknown room is refused. Whoever reads it has reached the part that takes sockets. */
export const noSuchRoom = 'There is no such room.';

const refusals: Record<RefusedStatus, [ErrorCode, string]> = {
  400: ['invalid', 'This is not a WebSocket handshake.'],
  401: ['unauthorized', 'The ticket is unknown, was used or is over; ask for another one.'],
  403: ['forbidden', 'The player may not enter this room from here.'],
  404: ['not_found', noSuchRoom],
  409: ['conflict', 'The room does not take this member now.'],
  503: ['failed', 'The room cannot be reached now; ask for another ticket.'],
};
const challenges: Partial<Record<RefusedStatus, string>> = {
  401: 'www-authenticate: Bearer\r\n',
  503: 'retry-after: 2\r\n',
};

/**
 * Answers a refused upgrade. Scripts cannot read the reason: they get it when they ask for another ticket.
 */
export function refuseUpgrade(socket: Duplex, status: RefusedStatus): void {
  if (!socket.writable) return void socket.destroy();
  socket.once('finish', () => socket.destroy());
  const [error, message] = refusals[status];
  const body = JSON.stringify({ error, message });
  const headers = { ...earlyHeaders(), 'content-length': Buffer.byteLength(body) };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}${challenges[status] ?? ''}\r\n${body}`,
  );
}
