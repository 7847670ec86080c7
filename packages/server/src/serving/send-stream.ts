import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { release } from '../platform/blobs/release.ts';
import { partTurns } from '../platform/http/loop-turns.ts';

/** A transfer without any progress for this long ends, whether the client or the store is slow. */
const stalledMilliseconds = 60_000;

export interface StreamedBody {
  /** How many bytes the source must give; undefined if unknown. */
  readonly size: number | undefined;
  /**
   * Writes the head. It is called with the first bytes, so that an error before them can still get an error
   * response.
   */
  readonly begin: () => void;
  /** Called if the source fails before any byte was sent. */
  readonly fail: (error: unknown) => void;
  /** The network whose turn is used for each part of the body. */
  readonly network: string;
}

/**
 * Sends a stream as the body, no faster than the client reads. If the source fails or ends early, the
 * connection is cut, so that nobody takes a part for the whole. If the client leaves, the source is closed.
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
