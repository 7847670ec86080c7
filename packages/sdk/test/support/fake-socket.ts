import {
  type RoomHello,
  type RoomPicture,
  type RoomWelcome,
  readMemberFrame,
  type Said,
  spellTold,
  spellWelcome,
  type Told,
} from '@spaceport/contract/room-protocol';

/** A browser's WebSocket, whose other end is the test. */
export class FakeSocket {
  static made: FakeSocket[] = [];
  readyState = 0;
  binaryType = 'blob';
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  readonly sent: (string | Uint8Array)[] = [];
  readonly url: string;
  readonly protocols: string[];

  constructor(url: string, protocols: string[]) {
    this.url = url;
    this.protocols = protocols;
    FakeSocket.made.push(this);
  }

  static last(): FakeSocket {
    const last = FakeSocket.made.at(-1);
    if (!last) throw new Error('no socket was opened');
    return last;
  }

  send(frame: string | Uint8Array): void {
    this.sent.push(frame);
  }

  close(): void {
    this.readyState = 3;
  }

  /** Opens the socket and sends a welcome. Returns the hello that the module sent. */
  welcome(welcome: Partial<RoomWelcome> = {}): RoomHello {
    this.readyState = 1;
    this.onopen?.();
    const hello = readMemberFrame(this.sent[0] ?? '');
    if (hello?.is !== 'hello') throw new Error('no hello');
    this.#hear(spellWelcome({ you: 'me', epoch: 'e1', got: 0, restore: false, ...welcome }));
    return JSON.parse(hello.json);
  }

  tell(...all: Told[]): void {
    for (const told of all) this.#hear(spellTold(told));
  }

  hearRaw(frame: string): void {
    this.#hear(frame);
  }

  #hear(data: string | Uint8Array): void {
    this.onmessage?.({ data: typeof data === 'string' ? data : data.slice().buffer });
  }

  breakOff(code = 1006): void {
    this.readyState = 3;
    this.onclose?.({ code });
  }

  /** Returns what the module said after its hello. */
  said(): Said[] {
    return this.sent.slice(1).flatMap((frame) => {
      const read = readMemberFrame(frame);
      return read?.is === 'said' ? [read.said] : [];
    });
  }
}

export const picture: RoomPicture = {
  members: [
    { id: 'host', handle: 'ada', here: true },
    { id: 'me', handle: null, here: true },
  ],
  host: 'host',
  locked: false,
  max: 8,
  state: [['level', '1']],
  version: 1,
  sent: 0,
};
