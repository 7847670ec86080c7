import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';

/** A member's socket, and what carries its bytes. */
export interface MemberSocket extends WebSocket {
  /** Frames go to it whole: those of `ws`, which packs nothing here, and ours. */
  readonly wire: Pick<Duplex, 'write'>;
}

const isLast = 0x80;
const opcodes = { text: 1, binary: 2 } as const;
/** A length in the frame's second byte; these two say that it follows, in two bytes or in eight. */
const longest = { inOneByte: 125, inTwoBytes: 0xffff } as const;
const follows = { inTwoBytes: 126, inEightBytes: 127 } as const;

/**
 * A message as a server sends it over the wire, not masked (RFC 6455, 5.2): made once for all who get it, where `ws` makes
 * and writes it anew for each.
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
