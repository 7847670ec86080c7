import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { refuseUpgrade } from './refuse-upgrade.ts';

/** Says that another process of ours sent the request on, so that none goes round. */
const pipedHeader = 'x-spaceport-piped';
const connectMs = 2_000;

export function isPiped({ headers }: IncomingMessage): boolean {
  return headers[pipedHeader] !== undefined;
}

/** Sends a request for a socket on to the process that has the room, and from then on every byte of both sides. */
export function pipeTo(address: string, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const { hostname, port } = new URL(`http://${address}`);
  const other = connect({ host: hostname.replace(/^\[|\]$/gu, ''), port: Number(port || 80), noDelay: true });
  const giveUp = setTimeout(() => other.destroy(), connectMs);
  let isConnected = false;
  other.once('connect', () => {
    isConnected = true;
    clearTimeout(giveUp);
    other.write(headOf(request));
    other.write(head);
    // With its back-pressure: a reader that is slow is slow to the process that has the room.
    socket.pipe(other);
    other.pipe(socket);
  });
  other.on('error', () => other.destroy());
  other.once('close', () => {
    clearTimeout(giveUp);
    if (!isConnected) return refuseUpgrade(socket, 503);
    // What came last is sent on first.
    socket.once('finish', () => socket.destroy());
    socket.end();
  });
  socket.once('close', () => other.destroySoon());
}

/** The request as it came, with its own spelling. */
function headOf({ method, url, rawHeaders }: IncomingMessage): string {
  const lines = [`${method} ${url} HTTP/1.1`];
  for (let at = 0; at < rawHeaders.length; at += 2) lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`);
  return `${lines.join('\r\n')}\r\n${pipedHeader}: 1\r\n\r\n`;
}
