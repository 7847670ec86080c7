import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ShownTag } from '../platform/db/shown.ts';
import type { RequestHandler } from '../platform/http/listener.ts';
import type { StoredAnswer } from './stored-answer.ts';
import type { Making, TaggedCache } from './tagged-cache.ts';

/** A request that waits for the response that another request makes. */
export interface Waiting {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly next: RequestHandler;
  /** When it came, by `performance.now()`. */
  readonly since: number;
}

interface Flight {
  readonly key: string;
  /** Whether the response is kept if nobody else waits for it. */
  readonly isKept: boolean;
  readonly making: Making<ShownTag>;
  readonly waiting: (Waiting & { readonly joinedAt: number })[];
}

/** A response that was made, with how long it may be kept. */
export interface Made {
  readonly answer: StoredAnswer;
  readonly tags: readonly ShownTag[];
  readonly madeAt: number;
  readonly goodUntil: number;
}

/**
 * Continues a waiting request. `again`: the response is older than the request, or its maker has left.
 * `alone`: the response may not be shared.
 */
type Resume = (waiting: Waiting, made: StoredAnswer | 'again' | 'alone') => void;

/** Responses under way. The first request for a response makes it, and the others wait. */
export class Flights {
  readonly #answers: TaggedCache<ShownTag, StoredAnswer>;
  readonly #byKey = new Map<string, Flight>();
  readonly #byRequest = new WeakMap<IncomingMessage, Flight>();

  constructor(answers: TaggedCache<ShownTag, StoredAnswer>) {
    this.#answers = answers;
  }

  /** Waits for the response that is being made. Returns false if none is. */
  join(key: string, waiting: Waiting): boolean {
    const flight = this.#byKey.get(key);
    flight?.waiting.push({ ...waiting, joinedAt: this.#answers.drops });
    return flight !== undefined;
  }

  /**
   * Registers the request that makes the response. If it ends without one, the next waiting request makes it.
   * `isKept`: whether the response is kept even if nobody else waits for it.
   */
  begin(key: string, isKept: boolean, { request, response }: Waiting, resume: Resume): void {
    const flight = { key, isKept, making: this.#answers.begin(), waiting: [] };
    this.#byKey.set(key, flight);
    this.#byRequest.set(request, flight);
    response.once('close', () => {
      if (this.#byRequest.has(request)) this.#end(request, flight, () => 'again', resume);
    });
  }

  isOf(request: IncomingMessage): boolean {
    return this.#byRequest.has(request);
  }

  /** Whether the response that a request makes is also for others: it is kept, or some wait for it. */
  isForOthers(request: IncomingMessage): boolean {
    const flight = this.#byRequest.get(request);
    return flight !== undefined && (flight.isKept || flight.waiting.length > 0);
  }

  /** Ends the flight with the response, or with null if it may not be kept. */
  land(request: IncomingMessage, made: Made | null, resume: Resume): void {
    const flight = this.#byRequest.get(request);
    if (!flight) return;
    if (made === null) {
      this.#end(request, flight, () => 'alone', resume);
      return;
    }
    const { answer, tags, madeAt, goodUntil } = made;
    const { key, making } = flight;
    const firstDrop = making.firstDropOf(tags);
    answer.onGrowth = (bytes) => this.#answers.grow(key, answer, bytes);
    if (this.isForOthers(request))
      this.#answers.put(key, { value: answer, tags, bytes: answer.bytes, madeAt, goodUntil }, making);
    // Requests that came before the first change may get the old response.
    this.#end(
      request,
      flight,
      (joinedAt) => (firstDrop === null || joinedAt < firstDrop ? answer : 'again'),
      resume,
    );
  }

  #end(
    request: IncomingMessage,
    { key, making, waiting }: Flight,
    outcome: (joinedAt: number) => StoredAnswer | 'again' | 'alone',
    resume: Resume,
  ): void {
    this.#byRequest.delete(request);
    this.#byKey.delete(key);
    making.end();
    for (const { joinedAt, ...one } of waiting) resume(one, outcome(joinedAt));
  }
}
