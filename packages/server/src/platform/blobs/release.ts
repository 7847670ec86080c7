/** What is smaller costs more to free than to leave. */
const leastBytes = 4 * 1024;

/**
 * Frees the memory of chunks that nobody reads again now, not when the garbage collector comes to it: memory outside of
 * its heap makes it go through all of the heap again and again, which was a third of what an upload cost. A chunk
 * that shares its memory with others is left alone.
 */
export function release(chunks: readonly Uint8Array[]): void {
  for (const { buffer, byteLength } of chunks) {
    const isAlone = byteLength === buffer.byteLength;
    // To move the bytes to a buffer without any frees them at once, and leaves the chunk empty.
    if (isAlone && byteLength >= leastBytes && buffer instanceof ArrayBuffer) buffer.transfer(0);
  }
}
