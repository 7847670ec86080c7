import type { Hello } from '@spaceport/contract/sdk-protocol';
import { protocol } from '@spaceport/contract/sdk-protocol';

/** A message of a frame. Its content is not trusted: `a` may be anything. */
export type Message =
  | { readonly is: 'call'; readonly id: number; readonly m: string; readonly a: readonly unknown[] }
  | { readonly is: 'notice'; readonly m: string; readonly a: readonly unknown[] }
  /** A malformed message, with the id for an answer if it has one. */
  | { readonly is: 'odd'; readonly id: number | null };

/** Reads a message from the port. Never throws. */
export function readMessage(data: unknown): Message {
  if (!isRecord(data)) return { is: 'odd', id: null };
  const { id, m, a } = data;
  const isCall = typeof id === 'number' && Number.isSafeInteger(id);
  if (typeof m !== 'string' || m.length > 100 || !Array.isArray(a) || a.length > 8)
    return { is: 'odd', id: isCall ? id : null };
  if (isCall) return { is: 'call', id, m, a };
  return id === undefined ? { is: 'notice', m, a } : { is: 'odd', id: null };
}

/** Returns the load of a hello in our protocol; null for anything else. */
export function loadOfHello(data: unknown): string | null {
  if (!isRecord(data) || data.spaceport !== protocol || !isRecord(data.hello)) return null;
  const { versions, load }: Partial<Record<keyof Hello['hello'], unknown>> = data.hello;
  if (typeof load !== 'string' || load.length > 100) return null;
  return Array.isArray(versions) && versions.includes(protocol) ? load : null;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
