import { type ContentCoding, contentCodings } from './codings.ts';

/*
 * What a service and its packing process write to each other. The service writes one request for each form: the
 * coding in one byte, the size of the file in four, and the file. The process answers with the form in chunks,
 * each after its length in four bytes. A length of 0 ends the form.
 */

export const requestHeadBytes = 5;
export const chunkHeadBytes = 4;

export function requestHead(coding: ContentCoding, sizeBytes: number): Buffer {
  const head = Buffer.alloc(requestHeadBytes);
  head.writeUInt8(contentCodings.indexOf(coding));
  head.writeUInt32BE(sizeBytes, 1);
  return head;
}

/** @throws if it names no coding */
export function readRequestHead(head: Buffer): { coding: ContentCoding; sizeBytes: number } {
  const coding = contentCodings[head.readUInt8()];
  if (coding === undefined) throw new Error('a request to pack names no coding');
  return { coding, sizeBytes: head.readUInt32BE(1) };
}

/** Returns a chunk after its length. An empty one ends the form. */
export function framed(chunk: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(chunkHeadBytes + chunk.byteLength);
  frame.writeUInt32BE(chunk.byteLength);
  frame.set(chunk, chunkHeadBytes);
  return frame;
}
