import { roomLimits } from '@spaceport/contract/room-protocol';

/** A frame as it goes over the wire. Members share one. */
export interface Frame {
  readonly bytes: Buffer;
}

/** What was sent to a member lately, counted from the first, for when its socket comes back without the last of it. */
export class SentLog {
  /** The oldest that is kept stands at `#first`; what is before it is dropped now and then. */
  #frames: Frame[] = [];
  #first = 0;
  #bytes = 0;
  #count = 0;

  /** Of all frames that were ever sent. */
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

  /** All frames after the first `got`; null where some of them are not kept any more, or were never sent. */
  since(got: number): readonly Frame[] | null {
    const kept = this.#frames.length - this.#first;
    if (got > this.#count || got < this.#count - kept) return null;
    return this.#frames.slice(this.#frames.length - (this.#count - got));
  }
}
