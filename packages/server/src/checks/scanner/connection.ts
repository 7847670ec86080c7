import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { drained } from '../../platform/drained.ts';
import type { ClamdTarget } from './address.ts';

/** The scanner could not be reached, or its answer was not understood. */
export class ScannerUnavailable extends Error {}

export interface ClamdTimes {
  readonly connectMilliseconds: number;
  /** The longest time without a byte taken or an answer given. */
  readonly idleMilliseconds: number;
}

/** Answers are one line. A longer one does not come from clamd. */
const maxAnswerBytes = 4_096;
const maxChunkBytes = 65_536;

/**
 * Sends one command to a clamd on a connection of its own, in the `z` form, where NUL ends the command and
 * the answer (clamd(8), "COMMANDS").
 * @param body opened after connecting and streamed after the command as INSTREAM requires: each chunk after
 * its length (32 bits, big-endian), and a length of 0 at the end
 * @returns the answer, without its NUL
 * @throws ScannerUnavailable, the errors of `body`, and the reason of the aborted signal
 */
export async function askClamd(
  address: ClamdTarget,
  command: string,
  {
    times,
    signal,
    body,
  }: { times: ClamdTimes; signal?: AbortSignal; body?: () => Promise<AsyncIterable<Uint8Array>> },
): Promise<string> {
  signal?.throwIfAborted();
  const socket = connect(address);
  // Destroying with an error rejects the wait for the connection, which notices nothing else.
  const abort = (): void => void socket.destroy(new ScannerUnavailable('aborted'));
  signal?.addEventListener('abort', abort, { once: true });
  try {
    const answer = answerOf(socket);
    // clamd may answer, and hang up, while the body is still being sent. The first of the two to end decides.
    answer.catch(() => {});
    await connected(socket, times);
    socket.write(`z${command}\0`);
    if (body) await Promise.race([sendBody(socket, await body()), answer]);
    return await answer;
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener('abort', abort);
    socket.destroy();
  }
}

async function connected(socket: Socket, times: ClamdTimes): Promise<void> {
  socket.setTimeout(times.connectMilliseconds);
  // A socket stays open after a time-out unless it is destroyed.
  socket.on('timeout', () => socket.destroy(new ScannerUnavailable('time-out')));
  try {
    await once(socket, 'connect');
  } catch (cause) {
    throw new ScannerUnavailable('no connection', { cause });
  }
  socket.setTimeout(times.idleMilliseconds);
}

function answerOf(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let length = 0;
    socket.on('data', (piece: Buffer) => {
      pieces.push(piece);
      length += piece.length;
      const end = piece.indexOf(0);
      if (end !== -1) {
        resolve(
          Buffer.concat(pieces)
            .subarray(0, length - piece.length + end)
            .toString('utf8')
            .trim(),
        );
      } else if (length > maxAnswerBytes) {
        reject(new ScannerUnavailable('endless answer'));
      }
    });
    socket.on('error', (cause) => reject(new ScannerUnavailable('connection lost', { cause })));
    socket.on('close', () => reject(new ScannerUnavailable('closed without an answer')));
  });
}

async function sendBody(socket: Socket, body: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const piece of body) {
    for (let from = 0; from < piece.length; from += maxChunkBytes) {
      // clamd answered before the end, for example because of its size limit: the rest is not sent.
      if (socket.destroyed) return;
      await send(socket, piece.subarray(from, from + maxChunkBytes));
    }
  }
  await send(socket, new Uint8Array(0));
}

async function send(socket: Socket, chunk: Uint8Array): Promise<void> {
  if (socket.destroyed) return;
  const length = Buffer.alloc(4);
  length.writeUInt32BE(chunk.length);
  socket.write(length);
  if (socket.write(chunk) || socket.destroyed) return;
  await drained(socket);
}
