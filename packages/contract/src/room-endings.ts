/** Why a room ended a socket: close codes of the WebSocket. */
export const roomEndings = {
  /** The lease of the process that had the room is over, or the process ends: ask for another ticket. */
  moved: 4_001,
  /** Nothing was heard, or nothing taken, for too long. */
  silent: 4_002,
  slow: 4_003,
  /** These are for good. */
  left: 4_010,
  kicked: 4_011,
  banned: 4_012,
  /** The same player came in by another socket. */
  elsewhere: 4_013,
  /** The space is not to be played now, or its sandbox was emptied. */
  closed: 4_014,
  flood: 4_015,
  tooLarge: 4_016,
  garbage: 4_017,
} as const;
export type RoomEnding = keyof typeof roomEndings;

/** After these the same member may come back. */
const passing: readonly RoomEnding[] = ['moved', 'silent', 'slow'];

/** Why a socket ended; null where a network did it. */
export function roomEndingOf(code: number): RoomEnding | null {
  const found = Object.entries(roomEndings).find(([, known]) => known === code);
  // Its keys are what the table has.
  return found ? (found[0] as RoomEnding) : null;
}

export function isForGood(ending: RoomEnding | null): ending is RoomEnding {
  return ending !== null && !passing.includes(ending);
}
