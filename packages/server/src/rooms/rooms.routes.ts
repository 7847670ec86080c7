import { enterRoom, listRooms, readRoom } from '@spaceport/contract/rooms';
import { findAdoptedKeys } from '../guests/guests.ts';
import type { Platform } from '../platform/context.ts';
import { ServiceError } from '../platform/errors.ts';
import type { Binder } from '../platform/http/operations.ts';
import { networkOf } from '../platform/limits/address-network.ts';
import { SharedBuckets } from '../platform/limits/shared-buckets.ts';
import { requireTaken } from '../platform/limits/token-buckets.ts';
import { playCallerOf } from '../players/play-caller.ts';
import type { Players } from '../players/players.ts';
import { type EnterContext, giveTicket } from './enter-room.ts';
import { readEnteredRoom, readOpenRooms } from './read-rooms.ts';
import type { Rooms } from './rooms.ts';

/** Binds the operations by which the page of a space uses rooms. */
export function bindRooms(
  binder: Binder,
  platform: Platform,
  { rooms, players }: { rooms: Rooms; players: Players },
): void {
  const { config, together } = platform;
  const ofPlayers = new SharedBuckets(together, 'tickets of a player', config.ROOM_TICKETS_PER_MINUTE);
  const ofNetworks = new SharedBuckets(together, 'tickets of a network', 10 * config.ROOM_TICKETS_PER_MINUTE);
  const context: EnterContext = {
    platform,
    own: rooms.own,
    // A known player has the same name in every session.
    nameIn: (caller, { space }) => players.nameFor(caller, { spaceId: space.id }),
    async guestNamesIn(account, { space }) {
      const keys = await findAdoptedKeys(platform.database.db, account);
      return Promise.all(
        keys.map((keyHash) => players.nameFor({ kind: 'guest', keyHash }, { spaceId: space.id })),
      );
    },
  };

  binder.bind(enterRoom, async ({ caller, body, address }) => {
    const who = playCallerOf(caller);
    const player =
      who.kind === 'account' ? who.playerId : who.kind === 'guest' ? who.keyHash : networkOf(address);
    try {
      await requireTaken([ofPlayers.take(player), ofNetworks.take(networkOf(address))]);
      return { body: await giveTicket(context, who, { body, network: networkOf(address) }) };
    } catch (error) {
      if (error instanceof ServiceError) rooms.counts.refused(error.code);
      throw error;
    }
  });

  binder.bind(listRooms, async ({ caller, query }) => ({
    body: await readOpenRooms(platform, playCallerOf(caller), query.space),
  }));

  binder.bind(readRoom, async ({ caller, params, query }) => ({
    body: await readEnteredRoom(context, playCallerOf(caller), { label: query.space, code: params.code }),
  }));
}
