import { randomBytes, randomInt } from 'node:crypto';
import type { AnswerOf, BodyOf } from '@spaceport/contract/operation';
import { roomCodeLength, roomCodeLetters, roomLimits } from '@spaceport/contract/room-protocol';
import type { enterRoom } from '@spaceport/contract/rooms';
import { requireWelcome } from '../boards/banned.ts';
import type { Platform } from '../platform/context.ts';
import { lockAll } from '../platform/db/dialect.ts';
import type { AccountId } from '../platform/db/ids.ts';
import { fromJson, toJson } from '../platform/db/json.ts';
import type { Db, RoomRecord } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';
import { ServiceError } from '../platform/errors.ts';
import { newId } from '../platform/secrets/id.ts';
import { hashSecret } from '../platform/secrets/secret.ts';
import { type PlayedSpace, playedSpace } from '../player-calls/played-space.ts';
import { type KnownCaller, requireKnown } from '../player-calls/writers.ts';
import type { PlayCaller } from '../players/play-caller.ts';
import { memberName, type Names } from './member-name.ts';
import type { OwnRooms } from './own-rooms.ts';
import { refusalOf } from './room-rules.ts';
import {
  findExpected,
  findNode,
  findOpenRooms,
  findRoomOfCode,
  insertRoom,
  insertTicket,
  type RoomRow,
  takeRoom,
} from './rooms.queries.ts';

/** A player who wants to enter a room. */
interface Asking {
  readonly played: PlayedSpace;
  readonly caller: KnownCaller;
  readonly account: AccountId | null;
  /** The network that the player is in. */
  readonly network: string;
  /** The name by which the space knows the player. */
  readonly id: string;
  /** Returns the name by which the player is or will be a member of a room (`memberName`). */
  readonly idAmong: (members: RoomRecord['members']) => Promise<string>;
}

export interface EnterContext extends Names {
  readonly platform: Platform;
  readonly own: OwnRooms;
}

/** Finds or creates a room, and returns a ticket to it. */
export async function giveTicket(
  context: EnterContext,
  who: PlayCaller,
  { body, network }: { body: BodyOf<typeof enterRoom>; network: string },
): Promise<AnswerOf<typeof enterRoom>> {
  const { platform, own } = context;
  const caller = requireKnown(who);
  const played = await playedSpace(platform, body.space, caller);
  const account = caller.kind === 'account' ? caller.playerId : null;
  const asking: Asking = {
    played,
    caller,
    account,
    network,
    id: await context.nameIn(caller, played),
    idAmong: (members) => memberName(context, caller, played, members),
  };
  await requireWelcome(platform.database, played.space.id, account);
  if (platform.closing.aborted) throw busy();
  const ticket = randomBytes(32).toString('base64url');
  const giveTo: GiveTo = (db, room, id = asking.id) =>
    insertTicket(db, {
      hash: hashSecret(ticket),
      roomId: room.id,
      who: toJson({
        id,
        account,
        handle: caller.kind === 'account' ? caller.handle : null,
        origins: originsOf(platform, played),
      }),
      expiresAt: platform.clock.now() + roomLimits.ticketMs,
    });
  const room = await roomFor(platform, own, asking, body, giveTo);
  return {
    url: `${platform.urls.app.replace(/^http/u, 'ws')}/api/player/rooms/${room.id}`,
    ticket,
    code: room.code,
    link: `${pageOf(platform, played)}?room=${room.code}`,
  };
}

/** Writes the ticket to a room, for a member by this name. Returns false if the room is gone. */
type GiveTo = (db: Db, room: RoomRow, id?: string) => Promise<boolean>;

async function roomFor(
  platform: Platform,
  own: OwnRooms,
  asking: Asking,
  { how, code, max, open: isOpen }: BodyOf<typeof enterRoom>,
  giveTo: GiveTo,
): Promise<RoomRow> {
  if (how === 'quick') return match(platform, own, asking, giveTo);
  const { row, id } =
    how === 'join'
      ? await join(platform, own, asking, code ?? '')
      : {
          row: await open(platform, own, asking, {
            max: max ?? roomLimits.usualMembers,
            isOpen: isOpen ?? false,
          }),
          id: asking.id,
        };
  if (await giveTo(platform.database.db, row, id)) return row;
  throw noRoom(row.code);
}

/**
 * Finds an open room with a place, or else creates one, and gives the ticket. Players of a space take turns, because
 * many may ask at the same moment: the place of everyone with a ticket counts as taken.
 */
async function match(
  { database, clock }: Platform,
  own: OwnRooms,
  asking: Asking,
  giveTo: GiveTo,
): Promise<RoomRow> {
  const { space, env } = asking.played;
  const take = (find: (tx: Tx) => Promise<RoomRow | undefined>) =>
    database.transaction(async (tx) => {
      await lockAll(tx, [`rooms:${space.id}:${env}`]);
      const room = await find(tx);
      return room && (await giveTo(tx.db, room)) ? room : undefined;
    });
  const find = async ({ db, now }: Tx) => {
    const rows = await findOpenRooms(db, { spaceId: space.id, env, movedMs: clock.movedMs() });
    const ids = rows.map(({ id }) => id);
    const expected = await findExpected(db, ids, now);
    return rows.find((row) => hasPlace(own, row, expected.get(row.id) ?? [], asking.id));
  };
  const found = await take(find);
  if (found) return found;
  await makeRoom(own, asking);
  const settings = { max: roomLimits.usualMembers, isOpen: true };
  // Somebody else may have created one meanwhile.
  const room = await take(async (tx) => (await find(tx)) ?? (await create(tx, own, asking, settings)));
  if (room) return room;
  // The room was found a moment ago, and everybody has left it since.
  throw busy();
}

/** Returns the room, and the name by which the player will be a member of it. */
async function join(
  platform: Platform,
  own: OwnRooms,
  asking: Asking,
  code: string,
): Promise<{ row: RoomRow; id: string }> {
  const { database, clock } = platform;
  const { space, env } = asking.played;
  const find = async () => {
    const row = await findRoomOfCode(database.db, { spaceId: space.id, env, code });
    if (row) return row;
    throw noRoom(code);
  };
  const row = await find();
  const id = await asking.idAmong(own.recordOf(row).members);
  refuse(refusalIn(own, row, id), code);
  const movedMs = clock.movedMs();
  if (row.node_id === own.id || (await findNode(database.db, row.node_id, movedMs)) !== undefined)
    return { row, id };
  await makeRoom(own);
  // If another process was faster, it has the room now.
  await takeRoom(database.db, row, { nodeId: own.id, now: clock.now(), movedMs });
  return { row: await find(), id };
}

/**
 * Makes sure that this process may have another room.
 * @param opener who opens it; absent for a room that another process had
 * @throws `failed`, and `rate_limited` if the opener's network has opened too many
 */
async function makeRoom(own: OwnRooms, opener?: Asking): Promise<void> {
  if (own.isFull) throw busy();
  if (opener && own.openers.isFull(opener.network)) throw tooManyRooms();
  await own.claim();
}

interface RoomSettings {
  readonly max: number;
  readonly isOpen: boolean;
}

async function open(
  { database, clock }: Platform,
  own: OwnRooms,
  asking: Asking,
  settings: RoomSettings,
): Promise<RoomRow> {
  await makeRoom(own, asking);
  return create({ db: database.db, now: clock.now() }, own, asking, settings);
}

async function create(
  { db, now }: { db: Db; now: number },
  own: OwnRooms,
  { played, account, network }: Asking,
  { max, isOpen }: RoomSettings,
): Promise<RoomRow> {
  for (;;) {
    const row: RoomRow = {
      id: newId('room'),
      space_id: played.space.id,
      env: played.env,
      code: newCode(),
      max_members: max,
      is_locked: 0,
      node_id: own.id,
      epoch: 1,
      members: toJson({ members: [], host: null, barred: [] }),
    };
    if (await insertRoom(db, { ...row, is_open: isOpen ? 1 : 0, player_id: account, now })) {
      own.openers.note(network, row.id);
      return row;
    }
  }
}

function newCode(): string {
  return Array.from(
    { length: roomCodeLength },
    () => roomCodeLetters[randomInt(roomCodeLetters.length)],
  ).join('');
}

/** Returns why the player may not enter: from the live room if it is in this process, else from its row. */
function refusalIn(own: OwnRooms, row: RoomRow, id: string): ReturnType<typeof refusalOf> {
  const live = own.find(row.id);
  if (live) return live.refusal(id);
  const { members, barred } = fromJson(row.members);
  const state = { isLocked: row.is_locked === 1, max: row.max_members, barred: new Set(barred) };
  return refusalOf(
    { ...state, members: new Map(members.map((one) => [one.id, { ...one, here: true }])) },
    id,
  );
}

/** Returns whether the player may enter, and has a place if everyone comes who is expected. */
function hasPlace(own: OwnRooms, row: RoomRow, expected: readonly string[], id: string): boolean {
  if (refusalIn(own, row, id) !== null) return false;
  const taken = new Set([...own.recordOf(row).members.map((member) => member.id), ...expected]);
  return taken.has(id) || taken.size < row.max_members;
}

function refuse(refusal: ReturnType<typeof refusalOf>, code: string): void {
  if (refusal === 'kicked') throw new ServiceError('kicked', 'The host has removed you from this room.');
  if (refusal === 'room_locked') throw new ServiceError('room_locked', `The room ${code} is locked.`);
  if (refusal === 'room_full') throw new ServiceError('room_full', `The room ${code} is full.`);
}

function noRoom(code: string): ServiceError {
  return new ServiceError('not_found', `There is no room ${code} in this space.`);
}

function busy(): ServiceError {
  return new ServiceError('failed', 'The service has no place for rooms now; try again in a moment.', {
    retryAfterSeconds: 1,
  });
}

function tooManyRooms(): ServiceError {
  return new ServiceError(
    'rate_limited',
    'Your network has as many rooms open as it may; enter one of them, or try again later.',
    { retryAfterSeconds: 60 },
  );
}

/** Returns the service's page on which the player has opened the space. */
function pageOf({ urls }: Platform, { space, label, onlyVersion }: PlayedSpace): string {
  return onlyVersion === null ? urls.page(space.slug) : urls.previewPage(label);
}

/**
 * Returns the allowed origins: the origin of the space as the player has opened it, and the service's own.
 */
function originsOf({ urls }: Platform, { space, env, label }: PlayedSpace): string[] {
  const origin = (address: string) => new URL(address).origin;
  if (space.hosted === 0) return [urls.app, ...(space.url === null ? [] : [origin(space.url)])];
  return [urls.app, origin(env === 'live' ? urls.live(label) : urls.preview(label))];
}
