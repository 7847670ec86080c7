import type { ServerResponse } from 'node:http';

/** A response with Node's internal field for the text of the head that is about to be sent. */
type WithHead = ServerResponse & { _header?: unknown };

/**
 * Writes the head of one response many times. Node checks each name and value every time, which takes as long
 * as sending a small response. So the text that Node made the first time is kept, and only the id, the length
 * and the date are replaced. If Node has no such text, and for connections that end, Node makes the head each time.
 */
export class KeptHead {
  readonly status: number;
  readonly #headers: readonly string[];
  /** The text before the id, between the id and the length, between the length and the date, and after the date. */
  #parts: Parts | null = null;

  /** `headers` are names and values, alternating, without the request's id. */
  constructor(headers: readonly string[], status = 200) {
    this.#headers = headers;
    this.status = status;
  }

  /**
   * Writes the head. The body of so many bytes follows; without a number, the length is among the headers or there
   * is no body. An instance is used in one of the two ways. `requestId` must be one of ours.
   */
  write(response: WithHead, requestId: string, bytes?: number): void {
    if (this.#parts !== null && response.shouldKeepAlive) {
      const [start, toLength, toDate, end] = this.#parts;
      response.statusCode = this.status;
      response._header = start + requestId + toLength + (bytes ?? '') + toDate + dateNow() + end;
      return;
    }
    const length = bytes === undefined ? [] : ['content-length', String(bytes)];
    response.writeHead(this.status, ['x-request-id', requestId, ...length, ...this.#headers]);
    if (response.shouldKeepAlive) this.#parts = partsOf(response._header, requestId, bytes);
  }
}

type Parts = readonly [string, string, string, string];

function partsOf(head: unknown, requestId: string, bytes: number | undefined): Parts | null {
  if (typeof head !== 'string') return null;
  // The first two headers are the id and, if it is given, the length.
  const field = bytes === undefined ? '\r\n' : '\r\ncontent-length: ';
  const [start, rest, again] = head.split(requestId);
  if (start === undefined || again !== undefined || !rest?.startsWith(field + (bytes ?? ''))) return null;
  const [toDate, end, other] = rest.slice(`${field}${bytes ?? ''}`.length).split(/(?<=\r\nDate: )[^\r]+/u);
  if (toDate === undefined || end === undefined || other !== undefined) return null;
  return [start, field, toDate, end];
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
