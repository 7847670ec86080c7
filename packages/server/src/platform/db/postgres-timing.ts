/** How long PostgreSQL is waited for, in milliseconds. */
export interface PostgresTiming {
  /** The server ends a statement that runs longer. */
  readonly statementMs: number;
  /** The client gives up a statement without a result after this time, and its connection with it. */
  readonly silenceMs: number;
  /** After this time without a result, a second connection asks whether the server is there at all. */
  readonly patienceMs: number;
  /**
   * If that connection gets no answer within this time, as behind a frozen network, the server counts as out
   * of reach, and the connection of the statement is given up.
   */
  readonly pulseMs: number;
  /** The time between two checks of the connection for announcements. */
  readonly beatMs: number;
  /** An announcement that has not arrived after this time does not arrive. */
  readonly hearMs: number;
}

// With `patienceMs` and `pulseMs`, a request gets its response in under two seconds.
export const defaultTiming: PostgresTiming = {
  statementMs: 15_000,
  silenceMs: 17_000,
  patienceMs: 400,
  pulseMs: 1_000,
  beatMs: 10_000,
  hearMs: 2_000,
};

/**
 * The message of pg when `query_timeout` has run out. The statement may still be running, so the connection
 * cannot be used again.
 */
export const silence = /Query read timeout/u;

export const channel = 'spaceport';
