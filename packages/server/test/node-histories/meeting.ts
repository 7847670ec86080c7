import { guestPlayer } from '../played.ts';
import { rawRequest } from '../raw-http.ts';
import { RoomBrowser } from '../room-browser.ts';
import type { TestService } from '../service.ts';
import { eventually } from './answered.ts';
import type { NodeCluster } from './cluster.ts';

const key = 'level';
const last = -1;

/** Two guests in a room. After the faults, both must see exactly the values that they have set. */
export class Meeting {
  readonly #browsers: readonly [RoomBrowser, RoomBrowser];
  readonly #code: string;

  private constructor(browsers: readonly [RoomBrowser, RoomBrowser], code: string) {
    this.#browsers = browsers;
    this.#code = code;
  }

  /** Begins in a space whose origin the module's sockets use. */
  static async begin({ test, port }: NodeCluster, space: string): Promise<Meeting> {
    const at: TestService = Object.create(test, {
      get: { value: (url: string, options = {}) => rawRequest(port, url, options) },
    });
    const browser = () => new RoomBrowser(guestPlayer(at), space, () => port);
    const browsers = [browser(), browser()] as const;
    const { code } = await browsers[0].enter({ how: 'create' });
    await browsers[1].enter({ how: 'join', code });
    return new Meeting(browsers, code);
  }

  set(value: number): void {
    this.#browsers[0].try((room) => room.set(key, value));
  }

  /** Waits until both see the same. @throws an error if they never do */
  settled(): Promise<void> {
    return eventually(async () => {
      // By the rules of rooms, a member who was away for too long is out.
      if (this.#browsers.some(({ room }) => room === null)) return null;
      this.set(last);
      const seen = this.#browsers.map(({ room }) => room?.get(key));
      return seen.every((value) => value === last) ? null : `room ${this.#code}: ${JSON.stringify(seen)}`;
    });
  }

  leave(): void {
    for (const { room } of this.#browsers) room?.leave();
  }
}
