import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';

/** Where nothing moves for so long, be it that the store gives nothing, all is let go. */
const stalledMilliseconds = 60_000;

export interface StreamedBody {
  /** Bytes that must come, or undefined where nobody knows before. */
  readonly size: number | undefined;
  /** Writes the head: called when the first bytes are there, so that an early fault can still be an answer. */
  readonly begin: () => void;
  /** The source failed before any byte went out. */
  readonly fail: (error: unknown) => void;
}

/**
 * Sends a stream as the body, no faster than the client reads. A source that fails or ends short cuts the
 * connection, so that nobody takes a part for the whole; a client that leaves closes the source.
 */
export function sendStream(source: Readable, response: ServerResponse, body: StreamedBody): void {
  let sent = 0;
  let isOver = false;

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

  // The source may fail after it has been let go: an error without a listener would end the process.
  source.on('error', abort);
  if (response.destroyed) {
    source.destroy();
    return;
  }
  source.on('data', (chunk: Buffer) => {
    if (isOver) return;
    sent += chunk.length;
    if (body.size !== undefined && sent > body.size)
      return abort(new Error('more bytes than there should be'));
    begin();
    if (!response.write(chunk)) source.pause();
  });
  source.on('end', () => {
    if (isOver) return;
    if (body.size !== undefined && sent !== body.size)
      return abort(new Error(`${sent} bytes of ${body.size}`));
    isOver = true;
    begin();
    response.end();
  });
  source.on('close', () => abort(new Error('closed before its end')));
  response.on('drain', () => source.resume());
  response.on('close', () => {
    isOver = true;
    source.destroy();
  });
}
