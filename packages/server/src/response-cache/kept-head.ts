import type { ServerResponse } from 'node:http';

/** Node's own name for the head of an answer that is about to be sent, as text. */
type WithHead = ServerResponse & { _header?: unknown };

/**
 * Writes the head of one answer again and again. Node looks at each name and value every time, which costs as much as sending a
 * small answer does; so what it made of them the first time is kept, and only the id and the date are put in anew. Where
 * Node keeps no such text, and for a connection that ends, it makes the head each time.
 */
export class KeptHead {
  readonly #headers: readonly string[];
  /** What stands before the id, between it and the date, and after that. */
  #parts: readonly [string, string, string] | null = null;

  /** Names and values in a row, without the request's id. */
  constructor(headers: readonly string[]) {
    this.#headers = headers;
  }

  /** Begins a 200; its body is to follow. `requestId` is one of ours. */
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

/** As the Date header has it: the same text for all answers of a second. */
function dateNow(): string {
  const now = Math.floor(Date.now() / 1_000);
  if (now !== second) {
    second = now;
    date = new Date(now * 1_000).toUTCString();
  }
  return date;
}
