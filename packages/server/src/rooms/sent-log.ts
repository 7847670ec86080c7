import { roomLimits } from '@spaceport/contract/room-protocol';

/** A frame as it is sent. Members share the same one. */
export interface Frame {
  readonly bytes: Buffer;
}

/**
 * Keeps the frames that were sent to a member lately, numbered from the first, to send them
 * again after a broken socket.
 */
export class SentLog {
  /** The oldest kept frame is at index `#first`. Frames before it are dropped from time to time. */
  #frames: Frame[] = [];
  #first = 0;
  #bytes = 0;
  #count = 0;

  /** The number of all frames that were ever sent. */
  get count(): number {
    return this.#count;
  }

  push(frame: Frame): void {
    this.#frames.push(frame);
    this.#count++;
    this.#bytes += frame.bytes.length;
    while (this.#bytes > roomLimits.keptBytes || this.#frames.length - this.#first > roomLimits.keptFrames) {
      this.#bytes -= this.#frames[this.#first]?.bytes.length ?? 0;
      this.#first++;
    }
    if (this.#first <= roomLimits.keptFrames) return;
    this.#frames = this.#frames.slice(this.#first);
    this.#first = 0;
  }

  /**
   * Returns all frames after the first `got`; null if some of them are no longer kept, or were never sent.
   */
  since(got: number): readonly Frame[] | null {
    const kept = this.#frames.length - this.#first;
    if (got > this.#count || got < this.#count - kept) return null;
    return this.#frames.slice(this.#frames.length - (this.#count - got));
  }
}
