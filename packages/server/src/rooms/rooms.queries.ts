import { type RawBuilder, sql } from 'kysely';
import { databaseNow, holdRows, oneOf } from '../platform/db/dialect.ts';
import type { AccountId, RoomId, RoomNodeId, SpaceId } from '../platform/db/ids.ts';
import { fromJson, type Json } from '../platform/db/json.ts';
import type { Db, Env, Flag, RoomRecord, SpacesTable, TicketHolder } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';

export interface RoomRow {
  readonly id: RoomId;
  readonly space_id: SpaceId;
  readonly env: Env;
  readonly code: string;
  readonly max_members: number;
  readonly is_locked: Flag;
  readonly members: Json<RoomRecord>;
  readonly node_id: RoomNodeId;
  readonly epoch: number;
}

const columns = [
  ...(['id', 'space_id', 'env', 'code', 'max_members', 'is_locked'] as const),
  ...(['members', 'node_id', 'epoch'] as const),
];

export async function findRoom(db: Db, id: RoomId): Promise<RoomRow | undefined> {
  return db.selectFrom('rooms').select(columns).where('id', '=', id).executeTakeFirst();
}

/** Returns the room with a code, if it belongs to this space. */
export async function findRoomOfCode(
  db: Db,
  { spaceId, env, code }: { spaceId: SpaceId; env: Env; code: string },
): Promise<RoomRow | undefined> {
  return db
    .selectFrom('rooms')
    .select(columns)
    .where('code', '=', code)
    .where('space_id', '=', spaceId)
    .where('env', '=', env)
    .executeTakeFirst();
}

/**
 * When leases are compared: the time of the database, because clocks of nodes differ. `movedMs` is how far a
 * test has moved the clock.
 */
function leaseTime(db: Db, movedMs: number): RawBuilder<number> {
  return sql`${databaseNow(db)} + cast(${movedMs} as bigint)`;
}

/**
 * Returns open rooms with a free place whose process is alive. The fullest come first, so
 * that few players wait alone.
 */
export async function findOpenRooms(
  db: Db,
  { spaceId, env, movedMs }: { spaceId: SpaceId; env: Env; movedMs: number },
): Promise<RoomRow[]> {
  return (
    db
      .selectFrom('rooms')
      .select(columns)
      .where('space_id', '=', spaceId)
      .where('env', '=', env)
      // The condition of an index, which has those alone.
      .where(sql<boolean>`is_open = 1 and is_locked = 0 and member_count < max_members`)
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('room_nodes as node')
            .select('node.id')
            .whereRef('node.id', '=', 'rooms.node_id')
            .where('node.until', '>', leaseTime(db, movedMs)),
        ),
      )
      .orderBy('rooms.member_count', 'desc')
      .orderBy('rooms.created_at')
      .limit(20)
      .execute()
  );
}

/** Returns false if another room has the code already. */
export async function insertRoom(
  db: Db,
  room: RoomRow & { readonly is_open: Flag; readonly player_id: AccountId | null; readonly now: number },
): Promise<boolean> {
  const { now, ...row } = room;
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('rooms')
    .values({ ...row, member_count: 0, created_at: now, updated_at: now })
    .onConflict((conflict) => conflict.column('code').doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/**
 * Gives a room whose process is gone to another process. Returns false if the process is alive,
 * or another one was faster.
 */
export async function takeRoom(
  db: Db,
  { id, epoch }: Pick<RoomRow, 'id' | 'epoch'>,
  { nodeId, now, movedMs }: { nodeId: RoomNodeId; now: number; movedMs: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('rooms')
    .set({ node_id: nodeId, epoch: epoch + 1, updated_at: now })
    .where('id', '=', id)
    .where('epoch', '=', epoch)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('room_nodes')
            .select('id')
            .whereRef('room_nodes.id', '=', 'rooms.node_id')
            .where('until', '>', leaseTime(db, movedMs)),
        ),
      ),
    )
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** What is written of a room when it changes. */
export interface WrittenRoom {
  readonly isLocked: Flag;
  readonly memberCount: number;
  readonly members: Json<RoomRecord>;
  readonly now: number;
}

/** Returns false if the room is gone, or belongs to another process. */
export async function writeRoom(
  db: Db,
  { id, epoch }: Pick<RoomRow, 'id' | 'epoch'>,
  room: WrittenRoom,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('rooms')
    .set({
      is_locked: room.isLocked,
      member_count: room.memberCount,
      members: room.members,
      updated_at: room.now,
    })
    .where('id', '=', id)
    .where('epoch', '=', epoch)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export async function deleteRoom(db: Db, { id, epoch }: Pick<RoomRow, 'id' | 'epoch'>): Promise<void> {
  await db.deleteFrom('rooms').where('id', '=', id).where('epoch', '=', epoch).execute();
}

/** Deletes a room to which nobody has an unused ticket. Returns false if somebody has. */
export async function deleteUnexpected(
  { db, now }: Tx,
  { id, epoch }: Pick<RoomRow, 'id' | 'epoch'>,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('rooms')
    .where('id', '=', id)
    .where('epoch', '=', epoch)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('room_tickets').select('hash').where('room_id', '=', id).where('expires_at', '>', now),
        ),
      ),
    )
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

/** Returns the rooms of a process, each with its epoch and the state of its space. */
export async function findOwnRooms(
  db: Db,
  nodeId: RoomNodeId,
): Promise<{ id: RoomId; epoch: number; state: SpacesTable['state'] }[]> {
  return db
    .selectFrom('rooms')
    .innerJoin('spaces', 'spaces.id', 'rooms.space_id')
    .select(['rooms.id', 'rooms.epoch', 'spaces.state'])
    .where('rooms.node_id', '=', nodeId)
    .execute();
}

/** Extends the lease of a process, or begins it. With a `forMs` of 0 it ends. */
export async function writeNode(
  db: Db,
  { id, address, forMs, movedMs }: { id: RoomNodeId; address: string; forMs: number; movedMs: number },
): Promise<void> {
  const until = leaseTime(db, forMs + movedMs);
  await db
    .insertInto('room_nodes')
    .values({ id, address, until })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ address, until }))
    .execute();
}

/** Returns the address of a process; undefined once its lease is over. */
export async function findNode(db: Db, id: RoomNodeId, movedMs: number): Promise<string | undefined> {
  const node = await db
    .selectFrom('room_nodes')
    .select('address')
    .where('id', '=', id)
    .where('until', '>', leaseTime(db, movedMs))
    .executeTakeFirst();
  return node?.address;
}

/** Returns false if the room is gone. */
export async function insertTicket(
  db: Db,
  ticket: { hash: string; roomId: RoomId; who: Json<TicketHolder>; expiresAt: number },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('room_tickets')
    .columns(['hash', 'room_id', 'who', 'expires_at'])
    .expression((from) =>
      from
        .selectFrom('rooms')
        .select([
          sql<string>`cast(${ticket.hash} as text)`.as('hash'),
          'id',
          sql<Json<TicketHolder>>`cast(${ticket.who} as text)`.as('who'),
          sql<number>`cast(${ticket.expiresAt} as bigint)`.as('expires_at'),
        ])
        .where('id', '=', ticket.roomId)
        .modifyEnd(holdRows(db)),
    )
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** Returns the names of the players who have an unused ticket to these rooms, by room. */
export async function findExpected(
  db: Db,
  roomIds: readonly RoomId[],
  now: number,
): Promise<Map<RoomId, string[]>> {
  const tickets = await db
    .selectFrom('room_tickets')
    .select(['room_id', 'who'])
    .where('room_id', 'in', oneOf(db, roomIds))
    .where('expires_at', '>', now)
    .execute();
  const byRoom = Map.groupBy(tickets, ({ room_id }) => room_id);
  return new Map([...byRoom].map(([id, own]) => [id, own.map(({ who }) => fromJson(who).id)]));
}

/** Uses a ticket up. Returns undefined if it is not for this room, was used, or has expired. */
export async function takeTicket(
  db: Db,
  { hash, roomId, now }: { hash: string; roomId: RoomId; now: number },
): Promise<Json<TicketHolder> | undefined> {
  const row = await db
    .deleteFrom('room_tickets')
    .where('hash', '=', hash)
    .where('room_id', '=', roomId)
    .where('expires_at', '>', now)
    .returning('who')
    .executeTakeFirst();
  return row?.who;
}

/**
 * Deletes rows that nobody can come back to: rooms whose process has been gone for `goneMs`, rooms that have been
 * empty for as long, processes without a room, and expired tickets.
 */
export async function sweepRows(
  { db, now }: Tx,
  { goneMs, movedMs }: { goneMs: number; movedMs: number },
): Promise<void> {
  await db.deleteFrom('room_tickets').where('expires_at', '<=', now).execute();
  const before = leaseTime(db, movedMs - goneMs);
  const living = db.selectFrom('room_nodes').select('id').where('until', '>', before);
  await db
    .deleteFrom('rooms')
    .where(({ and, or, eb }) =>
      or([
        eb('node_id', 'not in', living),
        and([eb('member_count', '=', 0), eb('updated_at', '<=', now - goneMs)]),
      ]),
    )
    .execute();
  await db.deleteFrom('room_nodes').where('until', '<=', before).execute();
}
