/**
 * Frees the bytes of a file that nobody reads again now, not when the garbage collector comes to it: memory outside of
 * its heap makes it run again and again. Bytes that share their memory with others are left alone.
 */
export function release({ buffer, byteLength }: Uint8Array): void {
  // To move the bytes to a buffer without any frees them at once, and leaves these empty. Node 20 cannot.
  if (byteLength === buffer.byteLength && buffer instanceof ArrayBuffer) buffer.transfer?.(0);
}
