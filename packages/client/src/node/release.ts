/**
 * Frees the bytes of a file that is no longer needed at once, without waiting for the garbage collector:
 * memory outside the heap makes the collector run again and again. Bytes in a shared buffer are left alone.
 */
export function release({ buffer, byteLength }: Uint8Array): void {
  // Transferring the bytes to an empty buffer frees them at once. Node 20 has no `transfer`.
  if (byteLength === buffer.byteLength && buffer instanceof ArrayBuffer) buffer.transfer?.(0);
}
