/** The reasons for which a room ends a socket, as close codes of the WebSocket. */
export const roomEndings = {
  /**
   * The process lost the lease of the room, or is shutting down. The member should ask for another ticket.
   */
  moved: 4_001,
  /** Nothing was received from the member, or the member read nothing, for too long. */
  silent: 4_002,
  slow: 4_003,
  /** After the following reasons the member does not come back. */
  left: 4_010,
  kicked: 4_011,
  banned: 4_012,
  /** The same player joined by another socket. */
  elsewhere: 4_013,
  /** The space cannot be played now, or its sandbox was emptied. */
  closed: 4_014,
  flood: 4_015,
  tooLarge: 4_016,
  garbage: 4_017,
} as const;
export type RoomEnding = keyof typeof roomEndings;

/** Reasons after which the same member may come back. */
const passing: readonly RoomEnding[] = ['moved', 'silent', 'slow'];

/** Returns why a room ended a socket, or null if the network ended it. */
export function roomEndingOf(code: number): RoomEnding | null {
  const found = Object.entries(roomEndings).find(([, known]) => known === code);
  // The entry comes from the table, so its key is a `RoomEnding`.
  return found ? (found[0] as RoomEnding) : null;
}

export function isForGood(ending: RoomEnding | null): ending is RoomEnding {
  return ending !== null && !passing.includes(ending);
}
