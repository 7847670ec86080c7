import { addAbortSignal } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Context } from './context.ts';

/**
 * Returns all of stdin. Ctrl-C ends the wait: without an end of stdin the command would never end.
 * @throws an AbortError
 */
export function readInput({ output, signal }: Pick<Context, 'output' | 'signal'>): Promise<Uint8Array> {
  return buffer(addAbortSignal(signal, output.streams.in));
}
