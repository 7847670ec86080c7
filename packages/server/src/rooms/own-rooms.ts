import type { RoomEnding } from '@spaceport/contract/room-endings';
import { findBansOf } from '../boards/boards.ts';
import type { Platform } from '../platform/context.ts';
import type { RoomId } from '../platform/db/ids.ts';
import { fromJson, toJson } from '../platform/db/json.ts';
import type { RoomRecord } from '../platform/db/schema.ts';
import { shownThing } from '../platform/db/shown.ts';
import { RepeatedFailure } from '../platform/repeated-failure.ts';
import { newId } from '../platform/secrets/id.ts';
import { isPlayed } from '../player-calls/played-states.ts';
import { LiveRoom } from './live-room.ts';
import { Openers } from './openers.ts';
import type { RoomCounts } from './room-counts.ts';
import { leaseMs, RoomLease } from './room-lease.ts';
import {
  deleteRoom,
  deleteUnexpected,
  findOwnRooms,
  findRoom,
  type RoomRow,
  type WrittenRoom,
  writeNode,
  writeRoom,
} from './rooms.queries.ts';

/** Changes within this time are written together. */
const writeAfterMs = 50;
const beatEveryMs = 5_000;
/** How long a room is kept that was opened and that nobody entered. */
export const emptyMs = 60_000;

interface OwnRoom {
  readonly row: RoomRow;
  readonly live: LiveRoom;
  readonly since: number;
  writing: NodeJS.Timeout | null;
}

/**
 * The rooms that this process has while its lease lasts. It extends the lease in the
 * database again and again.
 */
export class OwnRooms {
  readonly id = newId('node');
  readonly #platform: Platform;
  /** The address at which the other processes reach this one. */
  readonly address: string;
  readonly #counts: RoomCounts;
  readonly openers: Openers;
  readonly #rooms = new Map<RoomId, OwnRoom>();
  readonly #stops: (() => void)[];
  readonly #lease: RoomLease;
  readonly #looks: RepeatedFailure;
  readonly #writes: RepeatedFailure;
  #timer: NodeJS.Timeout | null = null;
  #isClosed = false;
  #beatAt = 0;
  #isLooking = false;
  #lookAgain = false;

  constructor(platform: Platform, address: string, counts: RoomCounts) {
    this.#platform = platform;
    this.address = address;
    this.#counts = counts;
    const { database, clock, config, log } = platform;
    this.#looks = new RepeatedFailure(log, {
      fails: 'rooms not looked after',
      again: 'rooms are looked after again',
    });
    this.#writes = new RepeatedFailure(log, { fails: 'room not written', again: 'rooms are written again' });
    this.openers = new Openers({
      isLive: (id) => this.#rooms.has(id),
      now: () => clock.now(),
      rooms: config.ROOMS_MAX,
    });
    this.#lease = new RoomLease(
      (forMs) => writeNode(database.db, { id: this.id, address, forMs, movedMs: clock.movedMs() }),
      // Another process may take the rooms from now on.
      () => this.#forgetAll('moved'),
    );
    const { announcements } = database;
    const look = () => {
      this.#lookAgain = true;
      if (this.#rooms.size > 0) void this.#look();
    };
    this.#stops = [
      announcements.listen('space', look),
      announcements.listen(shownThing, (tag) => {
        if (this.#isOfMember(tag)) look();
      }),
    ];
  }

  get isFull(): boolean {
    return this.#isClosed || this.#rooms.size >= this.#platform.config.ROOMS_MAX;
  }

  /** Makes sure that this process has a lease before it takes its first room. */
  async claim(): Promise<void> {
    await this.#lease.claim();
    if (this.#isClosed) return;
    this.#timer ??= setInterval(() => void this.#look(), leaseMs / 3);
  }

  /** Returns the row of a room. If it names this process, the process had its lease when the row was read. */
  async read(id: RoomId): Promise<RoomRow | undefined> {
    const { db } = this.#platform.database;
    const row = await findRoom(db, id);
    if (row?.node_id !== this.id || this.#lease.isHeld) return row;
    await this.claim();
    // Another process may have taken the room before.
    return findRoom(db, id);
  }

  /** Returns the live room; null if another process has it, or no live one does, or this one is closing. */
  open(row: RoomRow): LiveRoom | null {
    if (row.node_id !== this.id || this.#isClosed) return null;
    const known = this.#rooms.get(row.id);
    if (known?.row.epoch === row.epoch) return known.live;
    // Another process has had the room since: whoever is still in the earlier one has to come back.
    if (known) this.#forget(known, 'moved');
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

  /** Returns the room if it is in this process and has members. */
  find(id: RoomId): LiveRoom | undefined {
    return this.#rooms.get(id)?.live;
  }

  /** Returns the members of a room: those of now if it is in this process, else those that its process wrote last. */
  recordOf({ id, node_id, members }: RoomRow): RoomRecord {
    const live = node_id === this.id ? this.find(id) : undefined;
    return live?.record() ?? fromJson(members);
  }

  /** Returns how many rooms have members, and how many members are here and away. */
  seen(): { rooms: number; here: number; away: number } {
    const entered = [...this.#rooms.values()].filter(({ live }) => live.size > 0);
    const members = entered.reduce((sum, { live }) => sum + live.size, 0);
    const here = entered.reduce((sum, { live }) => sum + live.here, 0);
    return { rooms: entered.length, here, away: members - here };
  }

  #write(room: OwnRoom): void {
    room.writing ??= setTimeout(() => {
      room.writing = null;
      this.#writeNow(room).then(
        () => this.#writes.succeeded(),
        (error) => this.#writes.failed(error),
      );
    }, writeAfterMs);
  }

  async #writeNow(room: OwnRoom): Promise<void> {
    const { row, live } = room;
    if (this.#rooms.get(row.id) !== room) return;
    if (live.isEmpty) return this.#endEmpty(room);
    const { database, clock } = this.#platform;
    if (!(await writeRoom(database.db, row, writtenOf(live, clock.now())))) this.#forget(room, 'moved');
  }

  /** Ends a room that nobody is in, unless somebody has a ticket to it. */
  async #endEmpty(room: OwnRoom): Promise<void> {
    const { row, live } = room;
    const isOver = await this.#platform.database.transaction(async (tx) => {
      // The write locks the row: a ticket is given before it, or finds no room.
      if (!(await writeRoom(tx.db, row, writtenOf(live, tx.now)))) return true;
      return deleteUnexpected(tx, row);
    });
    if (isOver) this.#forget(room, 'moved');
  }

  #forget(room: OwnRoom, ending: RoomEnding): void {
    if (room.writing) clearTimeout(room.writing);
    this.#rooms.delete(room.row.id);
    room.live.close(ending);
  }

  /** Extends the lease, and drops rooms that no longer belong to this process, or to anybody. */
  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    const isAnnounced = this.#lookAgain;
    this.#lookAgain = false;
    const isBeat = performance.now() - this.#beatAt >= beatEveryMs;
    if (isBeat) this.#beatAt = performance.now();
    try {
      for (const { live } of this.#rooms.values()) live.look(isBeat);
      this.openers.sweep();
      await this.#lease.extend();
      await this.#settle();
      if (isAnnounced || isBeat) await this.#sendBannedAway();
      this.#looks.succeeded();
    } catch (error) {
      this.#looks.failed(error);
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
      } else if (live.isEmpty && clock.now() - since >= emptyMs) await this.#endEmpty(room);
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

  /**
   * Returns whether a member may have been banned. A look takes a write and two reads, and what every player of the
   * service unlocks is announced, too.
   */
  #isOfMember(tag: string): boolean {
    const [, id] = /^(?:played|person):(.+)$/u.exec(tag) ?? [];
    if (id === undefined || id === '*') return tag === '*' || id === '*';
    return this.#rooms.values().some(({ live }) => live.accounts().some(([, account]) => account === id));
  }

  #forgetAll(ending: RoomEnding): void {
    for (const room of this.#rooms.values()) this.#forget(room, ending);
  }

  /** Ends every socket and the lease. The next process that is asked for a room takes it. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const stop of this.#stops) stop();
    if (this.#timer) clearInterval(this.#timer);
    for (const room of this.#rooms.values()) if (room.writing) await this.#writeNow(room).catch(() => {});
    this.#forgetAll('moved');
    await this.#lease.end().catch(() => {});
  }
}

function writtenOf(live: LiveRoom, now: number): WrittenRoom {
  return {
    isLocked: live.isLocked ? 1 : 0,
    memberCount: live.size,
    members: toJson(live.record()),
    now,
  };
}
