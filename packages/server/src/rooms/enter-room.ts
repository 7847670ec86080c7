import { randomBytes, randomInt } from 'node:crypto';
import type { AnswerOf, BodyOf } from '@spaceport/contract/operation';
import { roomCodeLength, roomCodeLetters, roomLimits } from '@spaceport/contract/room-protocol';
import type { enterRoom } from '@spaceport/contract/rooms';
import { requireWelcome } from '../boards/banned.ts';
import type { Platform } from '../platform/context.ts';
import type { AccountId } from '../platform/db/ids.ts';
import { fromJson, toJson } from '../platform/db/json.ts';
import { ServiceError } from '../platform/errors.ts';
import { newId } from '../platform/secrets/id.ts';
import { hashSecret } from '../platform/secrets/secret.ts';
import { type PlayedSpace, playedSpace } from '../player-calls/played-space.ts';
import { type KnownCaller, requireKnown } from '../player-calls/writers.ts';
import type { PlayCaller } from '../players/play-caller.ts';
import type { OwnRooms } from './own-rooms.ts';
import { refusalOf } from './room-rules.ts';
import {
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
  /** The name by which the space knows the player. */
  readonly id: string;
}

export interface EnterContext {
  readonly platform: Platform;
  readonly own: OwnRooms;
  readonly nameIn: (caller: KnownCaller, played: PlayedSpace) => Promise<string>;
}

/** Finds or creates a room, and returns a ticket to it. */
export async function giveTicket(
  context: EnterContext,
  who: PlayCaller,
  body: BodyOf<typeof enterRoom>,
): Promise<AnswerOf<typeof enterRoom>> {
  const { platform, own, nameIn } = context;
  const caller = requireKnown(who);
  const played = await playedSpace(platform, body.space, caller);
  const account = caller.kind === 'account' ? caller.playerId : null;
  const asking: Asking = { played, caller, account, id: await nameIn(caller, played) };
  await requireWelcome(platform.database, played.space.id, account);
  if (platform.closing.aborted) throw busy();
  const room = await roomFor(platform, own, asking, body);
  const ticket = randomBytes(32).toString('base64url');
  await insertTicket(platform.database.db, {
    hash: hashSecret(ticket),
    room_id: room.id,
    who: toJson({
      id: asking.id,
      account,
      handle: caller.kind === 'account' ? caller.handle : null,
      origins: originsOf(platform, played),
    }),
    expires_at: platform.clock.now() + roomLimits.ticketMs,
  });
  return {
    url: `${platform.urls.app.replace(/^http/u, 'ws')}/api/player/rooms/${room.id}`,
    ticket,
    code: room.code,
    link: `${pageOf(platform, played)}?room=${room.code}`,
  };
}

async function roomFor(
  platform: Platform,
  own: OwnRooms,
  asking: Asking,
  { how, code, max, open }: BodyOf<typeof enterRoom>,
): Promise<RoomRow> {
  if (how === 'join') return join(platform, own, asking, code ?? '');
  if (how === 'create')
    return create(platform, own, asking, { max: max ?? roomLimits.usualMembers, isOpen: open ?? false });
  const { space, env } = asking.played;
  const found = await findOpenRooms(platform.database.db, {
    spaceId: space.id,
    env,
    now: platform.clock.now(),
  });
  const free = found.find((row) => refusalIn(own, row, asking.id) === null);
  return free ?? create(platform, own, asking, { max: roomLimits.usualMembers, isOpen: true });
}

async function join(platform: Platform, own: OwnRooms, asking: Asking, code: string): Promise<RoomRow> {
  const { database, clock } = platform;
  const { space, env } = asking.played;
  const find = async () => {
    const row = await findRoomOfCode(database.db, { spaceId: space.id, env, code });
    if (row) return row;
    throw new ServiceError('not_found', `There is no room ${code} in this space.`);
  };
  const row = await find();
  refuse(refusalIn(own, row, asking.id), code);
  if (row.node_id === own.id || (await findNode(database.db, row.node_id, clock.now())) !== undefined)
    return row;
  if (own.isFull) throw busy();
  await own.claim();
  // If another process was faster, it has the room now.
  await takeRoom(database.db, row, { nodeId: own.id, now: clock.now() });
  return find();
}

async function create(
  { database, clock }: Platform,
  own: OwnRooms,
  { played, account }: Asking,
  { max, isOpen }: { max: number; isOpen: boolean },
): Promise<RoomRow> {
  if (own.isFull) throw busy();
  await own.claim();
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
    const more = { is_open: isOpen ? 1 : 0, player_id: account, now: clock.now() } as const;
    if (await insertRoom(database.db, { ...row, ...more })) return row;
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

function refuse(refusal: ReturnType<typeof refusalOf>, code: string): void {
  if (refusal === 'kicked') throw new ServiceError('kicked', 'The host has removed you from this room.');
  if (refusal === 'room_locked') throw new ServiceError('room_locked', `The room ${code} is locked.`);
  if (refusal === 'room_full') throw new ServiceError('room_full', `The room ${code} is full.`);
}

function busy(): ServiceError {
  return new ServiceError('failed', 'The service has no place for rooms now; try again in a moment.', {
    retryAfterSeconds: 1,
  });
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
