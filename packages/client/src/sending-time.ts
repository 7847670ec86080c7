import type { FetchInit } from './fetch.ts';

/** A service ends uploads that are slower (docs/api-design.md). */
const leastBytesPerSecond = 16 * 1024;

/** Returns how long bytes may take on the slowest line that services accept, in ms. */
export function sendingMs(bytes: number): number {
  return Math.ceil((bytes * 1_000) / leastBytesPerSecond);
}

/** Returns the size of a body in bytes, of text in characters; 0 of a stream, which nobody knows. */
export function sizeOf(body: FetchInit['body']): number {
  if (body === undefined) return 0;
  if (typeof body === 'string') return body.length;
  if (body instanceof Blob) return body.size;
  return body instanceof Uint8Array ? body.byteLength : 0;
}
