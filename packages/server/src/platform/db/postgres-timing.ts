export interface PostgresTiming {
  /** A statement that hangs must not take the answer with it: the server ends it. */
  readonly statementMs: number;
  /** A line on which nothing is said, however alive the server is otherwise, is given up. */
  readonly silenceMs: number;
  /** A statement that has no answer by then has the server asked, on a line of its own, whether it is there at all. */
  readonly patienceMs: number;
  /** What does not answer that either, as behind a network that froze, is out of reach: its lines are given up. */
  readonly pulseMs: number;
  /** How often the line of the announcements is tried. */
  readonly beatMs: number;
}

// With patience and pulse a request is answered in under two seconds (security.md, "Faults").
export const defaultTiming: PostgresTiming = {
  statementMs: 15_000,
  silenceMs: 17_000,
  patienceMs: 400,
  pulseMs: 1_000,
  beatMs: 10_000,
};

/** What pg says where `query_timeout` ran out: the statement may still be under way, and the line is of no use. */
export const silence = /Query read timeout/u;

export const channel = 'spaceport';
