import { isRing } from './ring.js';
import { spaceport } from './service.js';

const sendEveryMs = 80;

/**
 * Two players in a room, with what they share: the ring, who is ready, where the other comet is, and how long
 * each took.
 */
export class Meeting {
  #room;
  #sentAtMs = 0;
  #on;
  /** The last known place of the other comet. */
  other = null;
  /** The time of the other player in seconds, null while it is not known. */
  otherTook = null;
  isAway = false;

  /** `on` has the listeners `changed`, `start` and `over`. */
  constructor(room, on) {
    this.#room = room;
    this.#on = on;
    room.on('message', (data) => this.#hear(data));
    room.on('state', () => this.#look());
    room.on('join', () => this.#joined());
    room.on('host', () => this.#look());
    room.on('leave', () => {
      this.isAway = false;
      this.other = null;
      this.#joined();
    });
    for (const event of ['drop', 'back'])
      room.on(event, ({ you }) => {
        if (!you) this.isAway = event === 'drop';
        this.#look();
      });
    room.on('closed', (why) => this.#on.over(why));
    this.#joined();
  }

  static create = () => spaceport.rooms.create({ max: 2 });
  static join = (code) => spaceport.rooms.join(code);
  static anyone = () => spaceport.rooms.quick();

  get code() {
    return this.#room.code;
  }

  get link() {
    return this.#room.link;
  }

  get me() {
    return this.#room.members().find(({ you }) => you);
  }

  /** The other player, undefined while there is none. */
  get partner() {
    return this.#room.members().find(({ you }) => !you);
  }

  /** Whether this player starts on the inside. */
  get isFirst() {
    return this.me?.host ?? true;
  }

  /**
   * The ring of the race, null if none was chosen. It is checked, because another player may have written
   * anything.
   */
  get ring() {
    const ring = this.#room.get('ring');
    return isRing(ring) && typeof ring.title === 'string' ? ring : null;
  }

  choose({ id = null, title, handle = null, points }) {
    this.#room.set('ring', { id, title, handle, points });
    this.#look();
  }

  isReady(member) {
    return member !== undefined && this.#room.get(`ready ${member.id}`) === true;
  }

  setReady(isReady) {
    if (isReady) this.#room.set(`ready ${this.me.id}`, true);
    else this.#room.set(`ready ${this.me.id}`);
    this.#look();
  }

  /** Sends the place of the player's own comet, a few times a second. */
  tellWhere({ s, d, drift, v, boost }, nowMs) {
    if (nowMs - this.#sentAtMs < sendEveryMs) return;
    this.#sentAtMs = nowMs;
    this.#send({ at: [s, d, drift, v, boost].map((each) => Math.round(each * 1000) / 1000) });
  }

  tellTook(seconds) {
    this.#send({ took: seconds });
  }

  leave() {
    this.#room.leave();
  }

  #send(message) {
    try {
      this.#room.send(message);
    } catch {
      // A message over the limit is dropped. The next place replaces it.
    }
  }

  #hear({ at, took }) {
    if (Array.isArray(at) && at.length === 5 && at.every(Number.isFinite)) {
      const [s, d, drift, v, boost] = at;
      this.other = { s, d, drift, v, boost: Math.min(1, Math.max(0, boost)), isInTail: false };
    }
    if (Number.isFinite(took)) {
      this.otherTook = took;
      this.#on.changed();
    }
  }

  #joined() {
    // Only two can race, so a full room is locked.
    if (this.me?.host) this.#room.lock(this.partner !== undefined);
    this.#look();
  }

  #look() {
    if (this.ring !== null && this.isReady(this.me) && this.isReady(this.partner)) {
      this.other = null;
      this.otherTook = null;
      this.#room.set(`ready ${this.me.id}`);
      this.#on.start();
    }
    this.#on.changed();
  }
}
