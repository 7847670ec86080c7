import type { CountCall } from './counts.ts';
import { type Channel, Line } from './line.ts';
import type { AskedOfPrimary, AskedOfWorker, Place } from './protocol.ts';
import type { OwnParts, Together } from './together.ts';

export interface WorkerSide {
  readonly place: Place;
  readonly together: Together;
  /** Tells the primary that this worker answers requests from now on. */
  ready(): Promise<void>;
}

/** Joins the server of a primary. `end` is called when the primary tells this worker to end. */
export async function joinServer(channel: Channel, end: (drainSeconds: number) => void): Promise<WorkerSide> {
  const startedAt = Math.round(performance.timeOrigin);
  let parts: OwnParts | null = null;
  let place: Place | null = null;
  const line = new Line<AskedOfPrimary, AskedOfWorker>(channel, {
    hear(topics) {
      // Until `parts` are set, nothing is kept that could become stale.
      parts?.hear(topics);
      return null;
    },
    figures: async () => (await parts?.figures()) ?? [],
    state: () => ({
      number: place?.number ?? 0,
      startedAt,
      memoryBytes: process.memoryUsage.rss(),
      runsJobs: place?.runsJobs ?? false,
      restarts: place?.restarts ?? 0,
    }),
    browser: () => parts?.browser() ?? null,
    canTakePictures: async () => (await parts?.canTakePictures()) ?? null,
    end({ drainSeconds }) {
      end(drainSeconds);
      return null;
    },
  });
  place = await line.ask('hello', null);
  const count = gathered(
    (calls) => line.ask('count', calls),
    () => performance.now(),
  );
  return {
    place,
    async ready() {
      await line.ask('ready', null);
    },
    together: {
      processes: place.processes,
      count,
      // A failure is ignored: PostgreSQL also announces the change.
      spread: (topics) =>
        line.ask('spread', topics).then(
          () => {},
          () => {},
        ),
      figures: () => line.ask('figures', null),
      states: () => line.ask('states', null),
      browser: () => line.ask('browser', null),
      canTakePictures: () => line.ask('canTakePictures', null),
      stage: () => line.ask('stage', null),
      tell(own) {
        parts = own;
      },
    },
  };
}

interface Waiting {
  readonly call: CountCall;
  resolve(answer: number): void;
  reject(error: unknown): void;
}

/**
 * The shortest time between two messages, in milliseconds: a message and its answer cost about as much as the
 * counting.
 */
const pauseMs = 1;

/**
 * Sends the calls of one turn of the event loop together. Calls that follow within `pauseMs` are sent
 * together after it.
 * @param now in milliseconds
 */
export function gathered(
  ask: (calls: readonly CountCall[]) => Promise<readonly number[]>,
  now: () => number,
): (call: CountCall) => Promise<number> {
  let waiting: Waiting[] = [];
  let sentAt = Number.NEGATIVE_INFINITY;
  const send = () => {
    const sent = waiting;
    waiting = [];
    sentAt = now();
    ask(sent.map(({ call }) => call)).then(
      (answers) => sent.forEach(({ resolve }, index) => void resolve(answers[index] ?? 0)),
      (error: unknown) => sent.forEach(({ reject }) => void reject(error)),
    );
  };
  return (call) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) {
        if (now() - sentAt < pauseMs) setTimeout(send, pauseMs);
        else setImmediate(send);
      }
      waiting.push({ call, resolve, reject });
    });
}
