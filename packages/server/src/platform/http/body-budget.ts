import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { holdShared } from '../limits/shared-holds.ts';
import type { Together } from '../processes/together.ts';

/** What a share of the whole one network may hold at once: four networks are needed to use it up. */
const shareOfNetwork = 1 / 4;

/** Of several processes: a quarter of the whole is divided by them, for bodies that are not longer than this. */
const divided = 1 / 4;
const smallBytes = 16 * 1024;

/** Gives back what was set aside, however often it is called. */
export type GiveBack = () => void;

/**
 * Memory for request bodies that are gathered before they are looked at, over everybody who sends one. What a body may
 * come to is set aside before its first byte is read, so that bodies which are announced and held cost no more than that.
 */
export interface BodyBudget {
  /**
   * Sets `bytes` aside for a network. Only where other processes have to be asked the answer is a promise.
   * @returns what gives them back, or null where there is no room: for now, or for this network
   */
  take(bytes: number, network: string): GiveBack | null | Promise<GiveBack | null>;
}

/**
 * A budget over all processes of a server. Each of several has a part of its own for small bodies, and asks for what has no
 * room there: together they never hold more than `maxBytes`, nor of one network more than its share.
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

/** The budget of one process. */
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

/** The least budget in which a body of so many bytes has room, in one process or several. */
export function leastBudgetFor(bytes: number, several: boolean): number {
  return Math.ceil(bytes / shareOfNetwork / (several ? 1 - divided : 1));
}

/** The longest body that has room in a budget of so many bytes. */
export function largestBodyIn(budgetBytes: number, several: boolean): number {
  return Math.floor(budgetBytes * (several ? 1 - divided : 1) * shareOfNetwork);
}

/** Whether a request says that a body follows it (RFC 9112 §6.3). */
export function hasBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || (declaredBytes(headers) ?? 0) > 0;
}

/** The length that a body is announced with; null where it is not. */
export function declaredBytes(headers: IncomingHttpHeaders): number | null {
  const length = headers['content-length'];
  return length === undefined ? null : Number(length);
}
