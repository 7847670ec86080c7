import { type RoomHello, readMemberFrame, roomLimits } from '@spaceport/contract/room-protocol';
import { readHello } from './read-frames.ts';
import type { MemberSocket } from './wire-frame.ts';

/** The players who are about to enter a room: their ticket is being used, or their socket has not said hello. */
export class Arrivals {
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** Counts a player until the returned function is called. Further calls of it do nothing. */
  expect(): () => void {
    let isExpected = true;
    this.#count++;
    return () => {
      if (isExpected) this.#count--;
      isExpected = false;
    };
  }

  /**
   * Calls `arrive` with the hello in a socket's first frame, or with null if that is no hello. Cuts off a socket that
   * says nothing for too long.
   */
  receive(socket: MemberSocket, arrive: (hello: RoomHello | null) => void): void {
    socket.on('error', () => {
      // Errors come from the network or from a stranger's frames; `close` follows.
    });
    const arrived = this.expect();
    const late = setTimeout(() => socket.terminate(), roomLimits.silentMs);
    socket.once('close', () => {
      clearTimeout(late);
      arrived();
    });
    socket.once('message', (data: Buffer, isBinary: boolean) => {
      clearTimeout(late);
      const frame = isBinary ? null : readMemberFrame(data.toString());
      arrive(frame?.is === 'hello' ? readHello(frame.json) : null);
      arrived();
    });
  }
}
