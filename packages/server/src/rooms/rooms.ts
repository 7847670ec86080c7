import type { Platform } from '../platform/context.ts';
import type { Upgrades } from '../platform/http/listener.ts';
import { emptyMs, OwnRooms } from './own-rooms.ts';
import { sweepRows } from './rooms.queries.ts';
import { createUpgrades } from './upgrades.ts';

/** The rooms of this process, and what lets members into them. */
export interface Rooms {
  readonly own: OwnRooms;
  readonly upgrades: Upgrades;
  close(): Promise<void>;
}

export function openRooms(platform: Platform): Rooms {
  const own = new OwnRooms(platform);
  const upgrades = createUpgrades(platform, own);
  let closed: Promise<void> | null = null;
  const close = () => {
    closed ??= own.close().then(() => upgrades.close());
    return closed;
  };
  // Members come in elsewhere while this process still answers what is under way.
  platform.closing.addEventListener('abort', () => void close());
  return { own, upgrades, close };
}

/** Forgets rooms that nobody can come back to. */
export async function sweepRooms({ database, clock }: Pick<Platform, 'database' | 'clock'>): Promise<void> {
  await database.transaction((tx) => sweepRows(tx, clock.now() - emptyMs));
}
