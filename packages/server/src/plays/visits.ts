import type { IncomingHttpHeaders } from 'node:http';
import type { SpaceId } from '../platform/db/ids.ts';
import { networkOf } from '../platform/limits/address-network.ts';
import type { Together } from '../platform/processes/together.ts';

/** Who asks, as far as a request tells. */
export interface Visitor {
  readonly address: string;
  readonly userAgent: string;
}

export function visitorOf(headers: IncomingHttpHeaders, address: string): Visitor {
  return { address, userAgent: headers['user-agent'] ?? '' };
}

export interface VisitOptions {
  /** A visitor counts once a space in this time. */
  readonly windowMs: number;
  /** Of one network in that time: a school behind one address has many players, a script as many names as it likes. */
  readonly maxPerNetwork: number;
  readonly now: () => number;
}

/** By what they call themselves; Cubot makes phones. */
const robots =
  /(?<!cu)bot\b|crawl|spider|slurp|headless|preview|monitor|lighthouse|curl|wget|python|node-fetch|undici/iu;

/** Whether a program asks, as far as it says so. */
export function isRobot({ userAgent }: Pick<Visitor, 'userAgent'>): boolean {
  return userAgent === '' || robots.test(userAgent);
}

/**
 * Remembers who has played what, in the server's memory alone and under a key that ends with it: nothing about a visitor
 * is written down anywhere, or can be found out later. On several nodes, or over a restart, a visitor may count once more.
 */
export class Visits {
  readonly #together: Pick<Together, 'count'>;
  readonly #options: VisitOptions;

  constructor(together: Pick<Together, 'count'>, options: VisitOptions) {
    this.#together = together;
    this.#options = options;
  }

  /** Whether this visit to a space is to be counted; a second one in the window is not, nor is a robot's. */
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

  /** Forgets it: what was to be counted could not be written. */
  async forget(spaceId: SpaceId, who: Visitor): Promise<void> {
    await this.#together.count({ ...this.#visitor(spaceId, who), do: 'discount' });
  }

  #visitor(spaceId: SpaceId, { address, userAgent }: Visitor) {
    return this.#counted('visits', spaceId, networkOf(address), userAgent);
  }

  /** Windows stand still, as clocks show them, so that one entry is one number. */
  #counted(limit: string, ...parts: readonly string[]) {
    const window = Math.floor(this.#options.now() / this.#options.windowMs);
    return { limit, name: JSON.stringify([window, ...parts]), count: 1 };
  }
}
