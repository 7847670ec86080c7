/**
 * Yields the same bytes in buffers of exactly `bufferBytes`; the last one may be shorter, and there is none
 * for no bytes. A chunk that fills a buffer alone is passed on without a copy, so a source must not change a
 * chunk that it has yielded.
 */
export async function* inBuffers(
  source: AsyncIterable<Uint8Array>,
  bufferBytes: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  let gathered: Uint8Array[] = [];
  let gatheredBytes = 0;
  for await (const chunk of source) {
    let rest = chunk;
    while (gatheredBytes + rest.byteLength >= bufferBytes) {
      const taken = bufferBytes - gatheredBytes;
      gathered.push(rest.subarray(0, taken));
      rest = rest.subarray(taken);
      yield joined(gathered);
      gathered = [];
      gatheredBytes = 0;
    }
    if (rest.byteLength > 0) gathered.push(rest);
    gatheredBytes += rest.byteLength;
  }
  if (gatheredBytes > 0) yield joined(gathered);
}

function joined(chunks: Uint8Array[]): Uint8Array {
  const [first] = chunks;
  return first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks);
}
