import type { Platform } from '../platform/context.ts';
import type { Upgrades } from '../platform/http/listener.ts';
import { settleTarget } from '../platform/http/request-target.ts';
import type { InnerDoor } from '../platform/processes/inner-door.ts';
import type { createHostClassifier } from '../serving/hosts.ts';
import { emptyMs, OwnRooms } from './own-rooms.ts';
import { RoomCounts } from './room-counts.ts';
import { sweepRows } from './rooms.queries.ts';
import { createUpgrades, type RoomUpgrades } from './upgrades.ts';

/** The rooms of this process, and the upgrades that let members into them. */
export interface Rooms {
  readonly own: OwnRooms;
  readonly upgrades: RoomUpgrades;
  readonly counts: RoomCounts;
}

/** @param closers gets a function that ends the rooms */
export function openRooms(platform: Platform, door: InnerDoor, closers: (() => unknown)[]): Rooms {
  const counts = new RoomCounts();
  const own = new OwnRooms(platform, door.address, counts);
  const upgrades = createUpgrades(platform, own, counts);
  door.open(upgrades);
  let closed: Promise<void> | null = null;
  const close = () => {
    closed ??= own.close().then(() => {
      upgrades.close();
      return door.close();
    });
    return closed;
  };
  // This process still answers running requests, but members must enter rooms in other processes from now on.
  platform.closing.addEventListener('abort', () => void close());
  closers.push(close);
  return { own, upgrades, counts };
}

/** Restricts upgrades to the app's host: content hosts have no rooms. */
export function ofTheApp(upgrades: Upgrades, classify: ReturnType<typeof createHostClassifier>): Upgrades {
  return {
    ...upgrades,
    takes: (request) =>
      settleTarget(request) === null &&
      classify(request.headers.host).is === 'app' &&
      upgrades.takes(request),
  };
}

/** Deletes rooms that nobody can come back to. */
export async function sweepRooms({ database, clock }: Pick<Platform, 'database' | 'clock'>): Promise<void> {
  await database.transaction((tx) => sweepRows(tx, { goneMs: emptyMs, movedMs: clock.movedMs() }));
}
