import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { refuseUpgrade } from './refuse-upgrade.ts';

/** Marks a request that another process of the service sent on, so that it is not sent on again. */
const pipedHeader = 'x-spaceport-piped';
const connectMs = 2_000;

export function isPiped({ headers }: IncomingMessage): boolean {
  return headers[pipedHeader] !== undefined;
}

/**
 * Sends a request for a socket on to the process that has the room, and then every byte in both directions.
 */
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
    // Piping keeps back-pressure: a slow reader is also slow for the process that has the room.
    socket.pipe(other);
    other.pipe(socket);
  });
  other.on('error', () => other.destroy());
  other.once('close', () => {
    clearTimeout(giveUp);
    if (!isConnected) return refuseUpgrade(socket, 503);
    // The last bytes are sent before the socket is destroyed.
    socket.once('finish', () => socket.destroy());
    socket.end();
  });
  socket.once('close', () => other.destroySoon());
}

/** Returns the request head as it came, with its own spelling. */
function headOf({ method, url, rawHeaders }: IncomingMessage): string {
  const lines = [`${method} ${url} HTTP/1.1`];
  for (let at = 0; at < rawHeaders.length; at += 2) lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`);
  return `${lines.join('\r\n')}\r\n${pipedHeader}: 1\r\n\r\n`;
}
