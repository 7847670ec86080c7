import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

/** What a share of the whole one network may hold at once: four networks are needed to use it up. */
const shareOfNetwork = 1 / 4;

/**
 * Memory for request bodies that are gathered before they are looked at, over everybody who sends one. What a body may
 * come to is set aside before its first byte is read, so that bodies which are announced and held cost no more than that.
 */
export interface BodyBudget {
  /**
   * Sets `bytes` aside for a network.
   * @returns what gives them back, or null where there is no room: for now, or for this network
   */
  take(bytes: number, network: string): (() => void) | null;
  readonly heldBytes: number;
}

export function createBodyBudget(maxBytes: number): BodyBudget {
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

/** The least budget in which a body of so many bytes has room. */
export function leastBudgetFor(bytes: number): number {
  return bytes / shareOfNetwork;
}

/** The longest body that has room in a budget of so many bytes. */
export function largestBodyIn(budgetBytes: number): number {
  return Math.floor(budgetBytes * shareOfNetwork);
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
