import type { Platform } from '../platform/context.ts';
import type { Upgrades } from '../platform/http/listener.ts';
import { settleTarget } from '../platform/http/request-target.ts';
import type { InnerDoor } from '../platform/processes/inner-door.ts';
import type { createHostClassifier } from '../serving/hosts.ts';
import { emptyMs, OwnRooms } from './own-rooms.ts';
import { RoomCounts } from './room-counts.ts';
import { sweepRows } from './rooms.queries.ts';
import { createUpgrades, type RoomUpgrades } from './upgrades.ts';

/** The rooms of this process, and what lets members into them. */
export interface Rooms {
  readonly own: OwnRooms;
  readonly upgrades: RoomUpgrades;
  readonly counts: RoomCounts;
}

/** What ends them is added to `closers`. */
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
  // Members come in elsewhere while this process still answers what is under way.
  platform.closing.addEventListener('abort', () => void close());
  closers.push(close);
  return { own, upgrades, counts };
}

/** Content hosts have no rooms, whatever is asked of them. */
export function ofTheApp(upgrades: Upgrades, classify: ReturnType<typeof createHostClassifier>): Upgrades {
  return {
    ...upgrades,
    takes: (request) =>
      classify(request.headers.host).is === 'app' && settleTarget(request) && upgrades.takes(request),
  };
}

/** Forgets rooms that nobody can come back to. */
export async function sweepRooms({ database, clock }: Pick<Platform, 'database' | 'clock'>): Promise<void> {
  await database.transaction((tx) => sweepRows(tx, clock.now() - emptyMs));
}
