import type { ServerResponse } from 'node:http';

/** A response with Node's internal field for the text of the head that is about to be sent. */
type WithHead = ServerResponse & { _header?: unknown };

/**
 * Writes the head of one response many times. Node checks each name and value every time, which takes as long
 * as sending a small response. So the text that Node made the first time is kept, and only the id and the
 * date are replaced. If Node has no such text, and for connections that end, Node makes the head each time.
 */
export class KeptHead {
  readonly #headers: readonly string[];
  /** The text before the id, between the id and the date, and after the date. */
  #parts: readonly [string, string, string] | null = null;

  /** `headers` are names and values, alternating, without the request's id. */
  constructor(headers: readonly string[]) {
    this.#headers = headers;
  }

  /** Writes the head of a 200; the body follows. `requestId` must be one of ours. */
  write(response: WithHead, requestId: string): void {
    if (this.#parts !== null && response.shouldKeepAlive) {
      const [before, between, after] = this.#parts;
      response._header = before + requestId + between + dateNow() + after;
      return;
    }
    response.writeHead(200, ['x-request-id', requestId, ...this.#headers]);
    if (response.shouldKeepAlive) this.#parts = partsOf(response._header, requestId);
  }
}

function partsOf(head: unknown, requestId: string): readonly [string, string, string] | null {
  if (typeof head !== 'string') return null;
  const [before, rest, again] = head.split(requestId);
  const [between, after, more] = rest?.split(/(?<=\r\nDate: )[^\r]+/u) ?? [];
  const isWhole = before !== undefined && between !== undefined && after !== undefined;
  return isWhole && again === undefined && more === undefined ? [before, between, after] : null;
}

let second = Number.NaN;
let date = '';

/** Returns the value of the Date header, which is the same text for a second. */
function dateNow(): string {
  const now = Math.floor(Date.now() / 1_000);
  if (now !== second) {
    second = now;
    date = new Date(now * 1_000).toUTCString();
  }
  return date;
}
