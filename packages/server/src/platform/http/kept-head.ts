import type { ServerResponse } from 'node:http';

/** A response with Node's internal field for the text of the head that is about to be sent. */
type WithHead = ServerResponse & { _header?: unknown };

/**
 * Writes the head of one response many times. Node checks each name and value every time, which takes as long
 * as sending a small response. So the text that Node made the first time is kept, and only the id, the length
 * and the date are replaced. If Node has no such text, and for connections that end, Node makes the head each time.
 */
export class KeptHead {
  readonly #status: number;
  readonly #headers: readonly string[];
  /** The text before the id, between the id and the length, between the length and the date, and after the date. */
  #parts: Parts | null = null;

  /** `headers` are names and values, alternating, without the request's id and the length. */
  constructor(headers: readonly string[], status = 200) {
    this.#headers = headers;
    this.#status = status;
  }

  /** Writes the head; the body of so many bytes follows. `requestId` must be one of ours. */
  write(response: WithHead, requestId: string, bytes: number): void {
    if (this.#parts !== null && response.shouldKeepAlive) {
      const [start, toLength, toDate, end] = this.#parts;
      response.statusCode = this.#status;
      response._header = start + requestId + toLength + bytes + toDate + dateNow() + end;
      return;
    }
    const length = String(bytes);
    response.writeHead(this.#status, ['x-request-id', requestId, 'content-length', length, ...this.#headers]);
    if (response.shouldKeepAlive) this.#parts = partsOf(response._header, requestId, length);
  }
}

type Parts = readonly [string, string, string, string];

function partsOf(head: unknown, requestId: string, length: string): Parts | null {
  if (typeof head !== 'string') return null;
  const field = 'content-length: ';
  const [start, rest, again] = head.split(requestId);
  const [name, after, more] = rest?.split(`${field}${length}\r\n`) ?? [];
  const [toDate, end, other] = after?.split(/(?<=\r\nDate: )[^\r]+/u) ?? [];
  const isWhole = start !== undefined && name !== undefined && toDate !== undefined && end !== undefined;
  const isClear = again === undefined && more === undefined && other === undefined;
  return isWhole && isClear ? [start, `${name}${field}`, `\r\n${toDate}`, end] : null;
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
