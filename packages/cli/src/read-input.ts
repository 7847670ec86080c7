import { addAbortSignal } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Context } from './context.ts';

/**
 * Returns all of stdin as text. Ctrl-C ends the wait: without an end of stdin the command would never end.
 * @throws an AbortError
 */
export function readInput({ output, signal }: Pick<Context, 'output' | 'signal'>): Promise<string> {
  return text(addAbortSignal(signal, output.streams.in));
}
