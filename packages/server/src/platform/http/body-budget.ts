import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { ServiceError } from '../errors.ts';
import { holdShared } from '../limits/shared-holds.ts';
import type { Together } from '../processes/together.ts';
import type { Soon } from '../when-known.ts';

/** The share of the whole that one network may hold at once: it takes four networks to use it up. */
const shareOfNetwork = 1 / 4;

/**
 * With several processes, this share of the whole is divided among them, for bodies of at most `smallBytes`.
 */
const divided = 1 / 4;
const smallBytes = 16 * 1024;

/** Returns the error for a body that a budget has no room for. */
export function tooManyBytes(): ServiceError {
  return new ServiceError('failed', 'Too many bytes are being sent at once; try again.');
}

/** Gives back the reserved bytes. Further calls do nothing. */
export type GiveBack = () => void;

/**
 * The memory for request bodies that are read whole, over all senders. The possible size of a body is
 * reserved before its first byte is read, so that bodies that are announced and held back cost no more than
 * that.
 */
export interface BodyBudget {
  /**
   * Reserves `bytes` for a network. It returns a promise only if other processes have to be asked.
   * @returns the function that gives them back; null if there is no room, for now or for this network
   */
  take(bytes: number, network: string): Soon<GiveBack | null>;
}

/**
 * Makes a budget over all processes of a server. Each of several processes has its own part for small bodies.
 * Larger ones, and small ones that have no room there, use the shared part. Together they never hold more
 * than `maxBytes`, and for one network never more than its share.
 */
export function createBodyBudget(
  maxBytes: number,
  together: Pick<Together, 'processes' | 'count'>,
): BodyBudget {
  const { processes } = together;
  if (processes === 1) return ownBudget(maxBytes);
  const own = ownBudget((maxBytes * divided) / processes);
  const shared = maxBytes * (1 - divided);
  return {
    take(bytes, network) {
      const taken = bytes <= smallBytes ? own.take(bytes, network) : null;
      if (taken) return taken;
      const of = [
        { name: 'all', most: shared },
        { name: `network ${network}`, most: shared * shareOfNetwork },
      ];
      return holdShared(together, 'bodies', of, bytes);
    },
  };
}

/** Makes the budget of one process. */
export function ownBudget(maxBytes: number): {
  take(bytes: number, network: string): GiveBack | null;
  readonly heldBytes: number;
} {
  const maxOfNetwork = maxBytes * shareOfNetwork;
  const held = new Map<string, number>();
  let heldBytes = 0;

  return {
    get heldBytes() {
      return heldBytes;
    },
    take(bytes, network) {
      const own = held.get(network) ?? 0;
      if (heldBytes + bytes > maxBytes || own + bytes > maxOfNetwork) return null;
      heldBytes += bytes;
      held.set(network, own + bytes);
      let given = false;
      return () => {
        if (given) return;
        given = true;
        heldBytes -= bytes;
        const left = (held.get(network) ?? 0) - bytes;
        if (left > 0) held.set(network, left);
        else held.delete(network);
      };
    },
  };
}

/** Returns the smallest budget that has room for a body of this size, with one process or several. */
export function leastBudgetFor(bytes: number, several: boolean): number {
  return Math.ceil(bytes / shareOfNetwork / (several ? 1 - divided : 1));
}

/** Returns the size of the longest body that has room in a budget. */
export function largestBodyIn(budgetBytes: number, several: boolean): number {
  return Math.floor(budgetBytes * (several ? 1 - divided : 1) * shareOfNetwork);
}

/** Returns whether the head says that a body follows (RFC 9112 §6.3). */
export function hasBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || (declaredBytes(headers) ?? 0) > 0;
}

/** Returns the announced length of a body; null if there is none. */
export function declaredBytes(headers: IncomingHttpHeaders): number | null {
  const length = headers['content-length'];
  return length === undefined ? null : Number(length);
}
