import type { IncomingHttpHeaders } from 'node:http';
import type { ShownTag } from '../db/shown.ts';

/** The tags of a response for everyone: it may be kept until one of them is announced. */
export interface Shown {
  readonly tags: readonly ShownTag[];
  /** False if its compressed length could reveal something. */
  readonly compressible: boolean;
}

/** The body of a response, and the tags that it shows. */
export interface WithShown<Body> {
  readonly body: Body;
  readonly shows: readonly ShownTag[];
}

/** Allows the responses of a route to be kept, by path and by these parameters. */
export interface CacheableRoute {
  /** The names of the query parameters that the response depends on. */
  readonly query: readonly string[];
  /**
   * Responses with one of these parameters are kept from the second request on: there are endless values, and
   * few are requested again.
   */
  readonly onRepeat?: readonly string[];
  /** Requests with one of these parameters are not kept. */
  readonly never?: readonly string[];
  /**
   * If true, other parameters are removed before the route sees them. If absent, requests with others are not
   * kept.
   */
  readonly ignoresOthers?: boolean;
  /** Returns what else of the request the response depends on. */
  readonly variant?: (headers: IncomingHttpHeaders) => string;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    cacheable?: CacheableRoute;
  }
  interface FastifyRequest {
    /** Set by a route whose response is the same for everyone; null otherwise. */
    shown: Shown | null;
    /** True if the response is being kept: then the cache compresses it. */
    isKept: boolean;
  }
}
