import type { IncomingHttpHeaders } from 'node:http';
import type { SpaceId } from '../platform/db/ids.ts';
import { networkOf } from '../platform/limits/address-network.ts';
import type { Together } from '../platform/processes/together.ts';

/** The visitor, as far as a request tells. */
export interface Visitor {
  readonly address: string;
  readonly userAgent: string;
}

export function visitorOf(headers: IncomingHttpHeaders, address: string): Visitor {
  return { address, userAgent: headers['user-agent'] ?? '' };
}

export interface VisitOptions {
  /** A visitor counts at most once for a space in this time. */
  readonly windowMs: number;
  /**
   * The most visitors of one network in that time. A school behind one address has many players, but a script
   * can also use as many user agents as it likes.
   */
  readonly maxPerNetwork: number;
  readonly now: () => number;
}

/** Words in the user agents of robots. Cubot is a maker of phones. */
const robots =
  /(?<!cu)bot\b|crawl|spider|slurp|headless|preview|monitor|lighthouse|curl|wget|python|node-fetch|undici/iu;

/** Returns whether the request comes from a robot that says so. */
export function isRobot({ userAgent }: Pick<Visitor, 'userAgent'>): boolean {
  return userAgent === '' || robots.test(userAgent);
}

/**
 * Remembers visitors only in the server's memory: nothing about them is stored, so nothing can be found out
 * later. With several nodes, or after a restart, a visitor may be counted again.
 */
export class Visits {
  readonly #together: Pick<Together, 'count'>;
  readonly #options: VisitOptions;

  constructor(together: Pick<Together, 'count'>, options: VisitOptions) {
    this.#together = together;
    this.#options = options;
  }

  /**
   * Returns whether this visit to a space counts. A second visit in the window, and a robot's visit, do not.
   */
  async isNew(spaceId: SpaceId, who: Visitor): Promise<boolean> {
    if (isRobot(who)) return false;
    const visitor = this.#visitor(spaceId, who);
    if ((await this.#together.count({ ...visitor, do: 'count', most: 1 })) === 0) return false;
    const network = this.#counted('visits of networks', spaceId, networkOf(who.address));
    const { maxPerNetwork } = this.#options;
    if ((await this.#together.count({ ...network, do: 'count', most: maxPerNetwork })) === 1) return true;
    await this.forget(spaceId, who);
    return false;
  }

  /** Forgets a visit that could not be written. */
  async forget(spaceId: SpaceId, who: Visitor): Promise<void> {
    await this.#together.count({ ...this.#visitor(spaceId, who), do: 'discount' });
  }

  #visitor(spaceId: SpaceId, { address, userAgent }: Visitor) {
    return this.#counted('visits', spaceId, networkOf(address), userAgent);
  }

  /** Windows are fixed intervals of the clock, so that each entry is a single number. */
  #counted(limit: string, ...parts: readonly string[]) {
    const window = Math.floor(this.#options.now() / this.#options.windowMs);
    return { limit, name: JSON.stringify([window, ...parts]), count: 1 };
  }
}
