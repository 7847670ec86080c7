import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { release } from '../platform/blobs/release.ts';
import { partTurns } from '../platform/http/loop-turns.ts';

/** A transfer in which no byte moves for so long ends, whether client or store is slow. */
const stalledMilliseconds = 60_000;

export interface StreamedBody {
  /** How many bytes must come; undefined if unknown. */
  readonly size: number | undefined;
  /** Writes the head. It is called with the first bytes, so that a fault before them can still be answered. */
  readonly begin: () => void;
  /** The source failed before any byte went out. */
  readonly fail: (error: unknown) => void;
  /** The network whose turn is used for each part of the body. */
  readonly network: string;
}

/**
 * Sends a stream as the body, no faster than the client reads. A source that fails or ends short cuts the
 * connection, so that nobody takes a part for the whole; a client that leaves closes the source.
 */
export function sendStream(source: Readable, response: ServerResponse, body: StreamedBody): void {
  let came = 0;
  let hasEnded = false;
  let waiting = 0;
  let isOver = false;
  const network = () => body.network;

  function begin(): void {
    if (response.headersSent) return;
    body.begin();
    response.setTimeout(stalledMilliseconds, () => response.destroy());
  }
  function abort(error: unknown): void {
    if (isOver) return;
    isOver = true;
    source.destroy();
    if (response.headersSent) response.destroy();
    else if (!response.destroyed) body.fail(error);
  }
  function write(chunk: Buffer): void {
    waiting--;
    if (isOver) return;
    begin();
    const isTaken = response.write(chunk, (error) => error ?? release([chunk]));
    if (hasEnded) end();
    else if (isTaken) source.resume();
  }
  function end(): void {
    if (isOver || waiting > 0) return;
    isOver = true;
    begin();
    response.end();
  }

  // A source may fail after it was destroyed: without a listener that error would end the process.
  source.on('error', abort);
  if (response.destroyed) {
    source.destroy();
    return;
  }
  source.on('data', (chunk: Buffer) => {
    if (isOver) return;
    came += chunk.length;
    if (body.size !== undefined && came > body.size)
      return abort(new Error('more bytes than there should be'));
    source.pause();
    waiting++;
    partTurns.take(network, () => write(chunk));
  });
  source.on('end', () => {
    if (body.size !== undefined && came !== body.size)
      return abort(new Error(`${came} bytes of ${body.size}`));
    // Its last part may still wait for a turn.
    hasEnded = true;
    end();
  });
  source.on('close', () => {
    if (!hasEnded) abort(new Error('closed before its end'));
  });
  response.on('drain', () => source.resume());
  response.on('close', () => {
    isOver = true;
    source.destroy();
  });
}
