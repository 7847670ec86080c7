import type { AnswerOf } from '@spaceport/contract/operation';
import type { listRooms, readRoom } from '@spaceport/contract/rooms';
import type { Platform } from '../platform/context.ts';
import { fromJson } from '../platform/db/json.ts';
import type { RoomRecord } from '../platform/db/schema.ts';
import { ServiceError } from '../platform/errors.ts';
import { playedSpace } from '../player-calls/played-space.ts';
import { requireKnown } from '../player-calls/writers.ts';
import type { PlayCaller } from '../players/play-caller.ts';
import type { EnterContext } from './enter-room.ts';
import { memberName } from './member-name.ts';
import { findOpenRooms, findRoomOfCode } from './rooms.queries.ts';

/** Returns the rooms that anybody may join now. A room that nobody has entered yet is left out. */
export async function readOpenRooms(
  platform: Platform,
  who: PlayCaller,
  label: string,
): Promise<AnswerOf<typeof listRooms>> {
  const { space, env } = await playedSpace(platform, label, who);
  const movedMs = platform.clock.movedMs();
  const rows = await findOpenRooms(platform.database.db, { spaceId: space.id, env, movedMs });
  const rooms = rows.map(({ code, max_members: max, members: json }) => {
    const { members, host } = fromJson(json);
    const handle = members.find(({ id }) => id === host)?.handle ?? null;
    return { code, host: handle, members: members.length, max };
  });
  return { rooms: rooms.filter(({ members }) => members > 0) };
}

/**
 * Returns the members of a room, as far as this process knows them (`OwnRooms.recordOf`).
 * @throws `not_found`, also for a caller who is not in the room: only members may know who plays together
 */
export async function readEnteredRoom(
  context: EnterContext,
  who: PlayCaller,
  { label, code }: { label: string; code: string },
): Promise<AnswerOf<typeof readRoom>> {
  const { platform, own } = context;
  const caller = requireKnown(who);
  const played = await playedSpace(platform, label, caller);
  const { space, env } = played;
  const row = await findRoomOfCode(platform.database.db, { spaceId: space.id, env, code });
  const { members, host } = row ? own.recordOf(row) : nobody;
  const name = await memberName(context, caller, played, members);
  if (!row || !members.some(({ id }) => id === name))
    throw new ServiceError('not_found', `You are not in the room ${code} of this space.`);
  const shown = members
    .toSorted((one, other) => one.order - other.order)
    .map(({ id, handle }) => ({ handle, host: id === host, you: id === name }));
  return { code, max: row.max_members, members: shown };
}

const nobody: Pick<RoomRecord, 'members' | 'host'> = { members: [], host: null };
