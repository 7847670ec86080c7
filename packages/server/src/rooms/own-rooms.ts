import type { RoomEnding } from '@spaceport/contract/room-endings';
import { findBansOf } from '../boards/boards.ts';
import type { Platform } from '../platform/context.ts';
import type { RoomId } from '../platform/db/ids.ts';
import { fromJson, toJson } from '../platform/db/json.ts';
import { shownThing } from '../platform/db/shown.ts';
import { newId } from '../platform/secrets/id.ts';
import { LiveRoom } from './live-room.ts';
import { isPlayed } from './played-states.ts';
import type { RoomCounts } from './room-counts.ts';
import { deleteRoom, findOwnRooms, type RoomRow, writeNode, writeRoom } from './rooms.queries.ts';

/** How long a process that says nothing keeps its rooms; then another one takes them. */
const leaseMs = 3_000;
/** What changes together is written together. */
const writeAfterMs = 50;
const beatEveryMs = 5_000;
/** A room that was opened, and that nobody came to. */
export const emptyMs = 60_000;

interface OwnRoom {
  readonly row: RoomRow;
  readonly live: LiveRoom;
  readonly since: number;
  writing: NodeJS.Timeout | null;
}

/** The rooms that this process has, as long as its lease lasts: it has said so to the database, and says it again and again. */
export class OwnRooms {
  readonly id = newId('node');
  readonly #platform: Platform;
  readonly #address: string;
  readonly #counts: RoomCounts;
  readonly #rooms = new Map<RoomId, OwnRoom>();
  readonly #stops: (() => void)[];
  #timer: NodeJS.Timeout | null = null;
  /** By `performance.now()`. */
  #sureAt = Number.NEGATIVE_INFINITY;
  #beatAt = 0;
  #isLooking = false;
  #lookAgain = false;

  /** `address`: where the other processes reach this one. */
  constructor(platform: Platform, address: string, counts: RoomCounts) {
    this.#platform = platform;
    this.#address = address;
    this.#counts = counts;
    const { announcements } = platform.database;
    const look = () => {
      this.#lookAgain = true;
      if (this.#rooms.size > 0) void this.#look();
    };
    this.#stops = [
      announcements.listen('space', look),
      announcements.listen(shownThing, (tag) => {
        if (tag === '*' || tag.startsWith('played:') || tag.startsWith('person:')) look();
      }),
    ];
  }

  get isFull(): boolean {
    return this.#rooms.size >= this.#platform.config.ROOMS_MAX;
  }

  /** Sees to it that the others know of this process, before it takes its first room. */
  async claim(): Promise<void> {
    if (performance.now() - this.#sureAt < leaseMs / 2) return;
    await this.#extend();
    this.#timer ??= setInterval(() => void this.#look(), leaseMs / 3);
  }

  /** Another process, or no living one, has it where it is null. */
  open(row: RoomRow): LiveRoom | null {
    if (row.node_id !== this.id) return null;
    const known = this.#rooms.get(row.id);
    if (known?.row.epoch === row.epoch) return known.live;
    const { clock } = this.#platform;
    const live = new LiveRoom({
      max: row.max_members,
      isLocked: row.is_locked === 1,
      record: fromJson(row.members),
      now: () => clock.now(),
      onChange: () => this.#write(room),
      counts: this.#counts,
    });
    const room: OwnRoom = { row, live, since: clock.now(), writing: null };
    this.#rooms.set(row.id, room);
    return live;
  }

  /** The room, where it is here and somebody is in it. */
  find(id: RoomId): LiveRoom | undefined {
    return this.#rooms.get(id)?.live;
  }

  /** How many there are that somebody is in, and who is. */
  seen(): { rooms: number; here: number; away: number } {
    const entered = [...this.#rooms.values()].filter(({ live }) => live.size > 0);
    const members = entered.reduce((sum, { live }) => sum + live.size, 0);
    const here = entered.reduce((sum, { live }) => sum + live.here, 0);
    return { rooms: entered.length, here, away: members - here };
  }

  #write(room: OwnRoom): void {
    room.writing ??= setTimeout(() => {
      room.writing = null;
      this.#writeNow(room).catch((error) => this.#platform.log.warn({ err: error }, 'room not written'));
    }, writeAfterMs);
  }

  async #writeNow(room: OwnRoom): Promise<void> {
    const { row, live } = room;
    if (this.#rooms.get(row.id) !== room) return;
    const { database, clock } = this.#platform;
    if (live.size === 0) {
      this.#rooms.delete(row.id);
      // It begins anew for who is on the way in.
      live.close('moved');
      await deleteRoom(database.db, row);
      return;
    }
    const isOwn = await writeRoom(database.db, row, {
      isLocked: live.isLocked ? 1 : 0,
      memberCount: live.size,
      members: toJson(live.record()),
      now: clock.now(),
    });
    if (!isOwn) this.#forget(room, 'moved');
  }

  #forget(room: OwnRoom, ending: RoomEnding): void {
    if (room.writing) clearTimeout(room.writing);
    this.#rooms.delete(room.row.id);
    room.live.close(ending);
  }

  async #extend(): Promise<void> {
    const sureAt = performance.now();
    await this.#lease(leaseMs);
    this.#sureAt = sureAt;
  }

  #lease(forMs: number): Promise<void> {
    const { database, clock } = this.#platform;
    return writeNode(database.db, { id: this.id, address: this.#address, until: clock.now() + forMs });
  }

  /** Keeps the lease, and lets those rooms go that are not this process's any more, or nobody's. */
  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    const isAnnounced = this.#lookAgain;
    this.#lookAgain = false;
    const isBeat = performance.now() - this.#beatAt >= beatEveryMs;
    if (isBeat) this.#beatAt = performance.now();
    try {
      for (const { live } of this.#rooms.values()) live.look(isBeat);
      await this.#extend();
      await this.#settle();
      if (isAnnounced || isBeat) await this.#sendBannedAway();
    } catch (error) {
      this.#platform.log.warn({ err: error }, 'rooms not looked after');
      // Another process may have taken them by now.
      if (performance.now() - this.#sureAt >= leaseMs) this.#forgetAll('moved');
    } finally {
      this.#isLooking = false;
    }
    if (this.#lookAgain && !this.#platform.closing.aborted) void this.#look();
  }

  async #settle(): Promise<void> {
    const { database, clock } = this.#platform;
    const before = [...this.#rooms.values()];
    const rows = new Map((await findOwnRooms(database.db, this.id)).map((row) => [row.id, row]));
    for (const room of before) {
      const { row, live, since } = room;
      const found = rows.get(row.id);
      if (this.#rooms.get(row.id) !== room) continue;
      if (found?.epoch !== row.epoch) this.#forget(room, 'moved');
      else if (!isPlayed(found.state, row.env)) {
        this.#forget(room, 'closed');
        await deleteRoom(database.db, row);
      } else if (live.size === 0 && clock.now() - since >= emptyMs) {
        this.#forget(room, 'moved');
        await deleteRoom(database.db, row);
      }
    }
  }

  async #sendBannedAway(): Promise<void> {
    const members = [...this.#rooms.values()].flatMap(({ row, live }) =>
      [...live.accounts()].map(([id, account]) => ({ spaceId: row.space_id, live, id, account })),
    );
    if (members.length === 0) return;
    const spaceIds = [...new Set(members.map(({ spaceId }) => spaceId))];
    const accounts = [...new Set(members.map(({ account }) => account))];
    const isBanned = await findBansOf(this.#platform.database, spaceIds, accounts);
    for (const { spaceId, live, id, account } of members)
      if (isBanned(spaceId, account)) live.leave(id, 'banned');
  }

  #forgetAll(ending: RoomEnding): void {
    for (const room of this.#rooms.values()) this.#forget(room, ending);
  }

  /** Ends every socket and gives the rooms to whoever is asked for them next. */
  async close(): Promise<void> {
    for (const stop of this.#stops) stop();
    if (this.#timer) clearInterval(this.#timer);
    for (const room of this.#rooms.values()) if (room.writing) await this.#writeNow(room).catch(() => {});
    this.#forgetAll('moved');
    if (this.#sureAt === Number.NEGATIVE_INFINITY) return;
    await this.#lease(0).catch(() => {});
  }
}
