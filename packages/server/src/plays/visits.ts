import { createHmac, randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { LRUCache } from 'lru-cache';
import type { SpaceId } from '../platform/db/ids.ts';
import { networkOf } from '../platform/limits/address-network.ts';
import { newestOf } from '../platform/limits/newest-of.ts';

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

/** Bounds the memory: about 20 MB. Beyond it the oldest visits are forgotten first, and may count again. */
const maxRemembered = 100_000;

/** By what they call themselves; Cubot makes phones. */
const robots =
  /(?<!cu)bot\b|crawl|spider|slurp|headless|preview|monitor|lighthouse|curl|wget|python|node-fetch|undici/iu;

/** Whether a program asks, as far as it says so. */
export function isRobot({ userAgent }: Pick<Visitor, 'userAgent'>): boolean {
  return userAgent === '' || robots.test(userAgent);
}

/**
 * Remembers who has played what, in this process's memory alone and under a key that ends with it: nothing about
 * a visitor is written down anywhere, or can be found out later. On several nodes, or over a restart, a visitor may
 * count once more.
 */
export class Visits {
  readonly #key = randomBytes(32);
  readonly #seen: LRUCache<string, number>;
  readonly #options: VisitOptions;

  constructor(options: VisitOptions) {
    this.#options = options;
    this.#seen = newestOf(maxRemembered);
  }

  /** Whether this visit to a space is to be counted; a second one in the window is not, nor is a robot's. */
  isNew(spaceId: SpaceId, who: Visitor): boolean {
    if (isRobot(who)) return false;
    const { address, userAgent } = who;
    const network = networkOf(address);
    const visitor = this.#name('visitor', spaceId, network, userAgent);
    if (this.#count(visitor) >= 1) return false;
    const all = this.#name('network', spaceId, network);
    const count = this.#count(all);
    if (count >= this.#options.maxPerNetwork) return false;
    this.#seen.set(this.#inWindow(visitor), 1);
    this.#seen.set(this.#inWindow(all), count + 1);
    return true;
  }

  /** Forgets it: what was to be counted could not be written. */
  forget(spaceId: SpaceId, { address, userAgent }: Visitor): void {
    this.#seen.delete(this.#inWindow(this.#name('visitor', spaceId, networkOf(address), userAgent)));
  }

  #count(name: string): number {
    return this.#seen.get(this.#inWindow(name)) ?? 0;
  }

  /** Windows stand still, as clocks show them, so that one entry is one number. */
  #inWindow(name: string): string {
    return `${Math.floor(this.#options.now() / this.#options.windowMs)} ${name}`;
  }

  #name(...parts: readonly string[]): string {
    return createHmac('sha256', this.#key).update(JSON.stringify(parts)).digest('base64url').slice(0, 22);
  }
}
