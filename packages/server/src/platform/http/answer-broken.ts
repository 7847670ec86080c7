import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { jsonHeaders } from './json-headers.ts';

/** Responses by Node's code for a request that it cannot read (RFC 9110 §15.5). */
const refusals: Record<string, [status: string, sentence: string]> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The head of the request is too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long to arrive.'],
};
const malformed: [string, string] = ['400 Bad Request', 'The request is not HTTP as it should be.'];

/** Responds to bytes that are not a valid request, in the format of all errors, and ends the connection. */
export function answerBroken(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesWritten > 0) {
    socket.destroy();
    return;
  }
  const [status, message] = refusals[error.code ?? ''] ?? malformed;
  const body = JSON.stringify({ error: 'invalid', message, issues: [{ path: '', message: 'is malformed' }] });
  socket.end(
    [
      `HTTP/1.1 ${status}`,
      `content-length: ${Buffer.byteLength(body)}`,
      `x-request-id: ${randomUUID()}`,
      'cache-control: no-store',
      ...Object.entries(jsonHeaders).map(([name, value]) => `${name}: ${value}`),
      'connection: close',
      '',
      body,
    ].join('\r\n'),
    () => socket.destroy(),
  );
}
