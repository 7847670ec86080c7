import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { jsonHeaders } from './json-headers.ts';

const headOverflow = 'HPE_HEADER_OVERFLOW';

/** Responses by Node's code for a request that it cannot read (RFC 9110 §15.5). */
const refusals: Record<string, [status: string, sentence: string]> = {
  [headOverflow]: ['431 Request Header Fields Too Large', 'The head of the request is too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long to arrive.'],
};
const malformed: [string, string] = ['400 Bad Request', 'The request is not HTTP as it should be.'];

const cleared = 'Its cookies were cleared: reload the page.';

/** Long enough that no line of a usual head is meant, such as a session's cookie. */
const longLine = 2048;

/**
 * Returns whether a head is too large because of its cookies. A page of a space can set cookies for all spaces,
 * and the browser could open none of them until the cookies ended. Any site can link to a long address, but an
 * address has no spaces in it.
 * @param piece the bytes at which the head was too large, which may begin anywhere in it
 */
function isOfCookies(piece: unknown): boolean {
  const lines = Buffer.isBuffer(piece) ? piece.toString('latin1').split('\r\n') : [];
  return lines.some((line) => line.length >= longLine && /; [^;=]+=/u.test(line));
}

/** Connections whose clients have their response, but may still send. */
const leaving = new WeakSet<Socket>();
const leaveMs = 2_000;

/** Responds to bytes that are not a valid request, in the format of all errors, and ends the connection. */
export function answerBroken(
  error: NodeJS.ErrnoException & { readonly rawPacket?: unknown },
  socket: Socket,
): void {
  // The rest of a head that was answered: it is dropped.
  if (leaving.has(socket) && error.code !== 'ECONNRESET') return;
  if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesWritten > 0) {
    socket.destroy();
    return;
  }
  const clears = error.code === headOverflow && isOfCookies(error.rawPacket);
  const [status, sentence] = refusals[error.code ?? ''] ?? malformed;
  const message = clears ? `${sentence} ${cleared}` : sentence;
  const body = JSON.stringify({ error: 'invalid', message, issues: [{ path: '', message: 'is malformed' }] });
  if (clears) leave(socket);
  socket.end(
    [
      `HTTP/1.1 ${status}`,
      `content-length: ${Buffer.byteLength(body)}`,
      `x-request-id: ${randomUUID()}`,
      'cache-control: no-store',
      ...(clears ? ['clear-site-data: "cookies"'] : []),
      ...Object.entries(jsonHeaders).map(([name, value]) => `${name}: ${value}`),
      'connection: close',
      '',
      body,
    ].join('\r\n'),
    clears ? undefined : () => socket.destroy(),
  );
}

/**
 * Lets the client end its connection, or closes it later. If it were closed while bytes arrive, the client would
 * get a reset in place of the response.
 */
function leave(socket: Socket): void {
  leaving.add(socket);
  const late = setTimeout(() => socket.destroy(), leaveMs);
  socket.once('close', () => clearTimeout(late));
}
