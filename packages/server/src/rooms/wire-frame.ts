import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';

/** A member's socket, with the stream that carries its bytes. */
export interface MemberSocket extends WebSocket {
  /**
   * Frames are written to it whole: those of `ws`, which does not compress here, and those of `wireFrame`.
   */
  readonly wire: Pick<Duplex, 'write'>;
}

const isLast = 0x80;
const opcodes = { text: 1, binary: 2 } as const;
/** A length in the second byte of a frame. Two values say that the length follows, in two or eight bytes. */
const longest = { inOneByte: 125, inTwoBytes: 0xffff } as const;
const follows = { inTwoBytes: 126, inEightBytes: 127 } as const;

/**
 * Makes a message as a server sends it, not masked (RFC 6455, 5.2). It is made once for all receivers, while
 * `ws` would make and write it for each.
 */
export function wireFrame(payload: string | Uint8Array): Buffer {
  const isText = typeof payload === 'string';
  const size = isText ? Buffer.byteLength(payload) : payload.length;
  const head = size <= longest.inOneByte ? 2 : size <= longest.inTwoBytes ? 4 : 10;
  const frame = Buffer.allocUnsafe(head + size);
  frame[0] = isLast | (isText ? opcodes.text : opcodes.binary);
  if (head === 2) frame[1] = size;
  else if (head === 4) {
    frame[1] = follows.inTwoBytes;
    frame.writeUInt16BE(size, 2);
  } else {
    frame[1] = follows.inEightBytes;
    frame.writeBigUInt64BE(BigInt(size), 2);
  }
  if (isText) frame.write(payload, head);
  else frame.set(payload, head);
  return frame;
}
