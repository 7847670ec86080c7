import { type AcceptedCodings, acceptedCodings } from './accept-encoding.ts';
import { parseRange } from './byte-range.ts';
import type { Deliverer } from './deliver.ts';
import { allowsRange, listedIn } from './etags.ts';
import { type Exchange, writeKeptHead } from './exchange.ts';
import { chooseDelta, chooseVariant, type FileAnswer, type Variant } from './file-answer.ts';

export interface FileSender {
  readonly deliverer: Deliverer;
  /** Called when the store cannot give the bytes and nothing was sent yet. */
  readonly fail: (exchange: Exchange, error: unknown) => void;
  /** Responds with 416 for a file of this size. */
  readonly refuseRange: (exchange: Exchange, size: number) => void;
}

/** Sends a file in the form that the client prefers, or a part of it, or 304 if it has not changed. */
export function sendFile(sender: FileSender, exchange: Exchange, file: FileAnswer, status: 200 | 404): void {
  const { headers, method } = exchange.request;
  const accepted = acceptedCodings(headers['accept-encoding']);
  const dictionary = headers['available-dictionary']?.toString();
  const chosen = chooseDelta(file, accepted, dictionary) ?? chooseVariant(file, accepted);
  // Conditions and ranges apply to the requested file, not to a page that says it is missing.
  if (status === 200) {
    const condition = headers['if-none-match'];
    const held = condition === undefined ? undefined : heldVariant(file, chosen, accepted, condition);
    if (held) {
      writeKeptHead(exchange, held.notModified);
      exchange.response.end();
      return;
    }
    const isForRange = headers.range !== undefined && method === 'GET' && file.hasRanges;
    if (isForRange && sendRange(sender, exchange, file.identity)) return;
  }
  sender.deliverer.deliver({
    exchange,
    status,
    headers: chosen.headers,
    variant: chosen,
    fail: (error) => sender.fail(exchange, error),
  });
}

/**
 * Returns the variant that the client already has. An older one counts too if the client accepts its coding:
 * the same file in another coding would gain nothing.
 */
function heldVariant(
  file: FileAnswer,
  chosen: Variant,
  accepted: AcceptedCodings,
  condition: string,
): Variant | undefined {
  if (condition === chosen.etag) return chosen;
  const usable = file.variants.filter(({ coding }) => accepted.anything || accepted[coding] > 0);
  const candidates = [chosen, ...usable];
  const tag = listedIn(
    condition,
    candidates.map(({ etag }) => etag),
  );
  return candidates.find(({ etag }) => etag === tag);
}

/** Sends a range of the identity form. Returns false if the header is to be ignored. */
function sendRange(sender: FileSender, exchange: Exchange, identity: Variant): boolean {
  const { headers } = exchange.request;
  const { size } = identity;
  if (!allowsRange(headers['if-range']?.toString(), identity.etag)) return false;
  const range = parseRange(headers.range ?? '', size);
  if (range === 'whole') return false;
  if (range === 'unsatisfiable') {
    sender.refuseRange(exchange, size);
    return true;
  }
  const partHeaders = ['Content-Range', `bytes ${range.start}-${range.end}/${size}`, ...identity.headers];
  partHeaders[partHeaders.indexOf('Content-Length') + 1] = String(range.end - range.start + 1);
  sender.deliverer.deliver({
    exchange,
    status: 206,
    headers: partHeaders,
    variant: identity,
    range,
    fail: (error) => sender.fail(exchange, error),
  });
  return true;
}
