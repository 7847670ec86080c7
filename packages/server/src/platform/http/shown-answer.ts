import type { IncomingHttpHeaders } from 'node:http';
import type { ShownTag } from '../db/shown.ts';

/** What an answer for everyone shows: it may be kept until any of that changes. */
export interface Shown {
  readonly tags: readonly ShownTag[];
  /** False where its length could tell something once it is compressed. */
  readonly compressible: boolean;
}

/** The body of an answer, and what it shows. */
export interface WithShown<Body> {
  readonly body: Body;
  readonly shows: readonly ShownTag[];
}

/** Answers of a route may be kept, by its path and these parameters. */
export interface CacheableRoute {
  /** The names of the query's parameters that the answer differs by. */
  readonly query: readonly string[];
  /** Parameters with which no answer is kept. */
  readonly never?: readonly string[];
  /** Other parameters are left out before the route sees them; where absent, a request that has some is not kept. */
  readonly ignoresOthers?: boolean;
  /** What else of a request the answer differs by. */
  readonly variant?: (headers: IncomingHttpHeaders) => string;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    cacheable?: CacheableRoute;
  }
  interface FastifyRequest {
    /** Set by a route whose answer is the same for everyone; null else. */
    shown: Shown | null;
    /** The answer is being kept: whoever keeps it compresses it. */
    isKept: boolean;
  }
}
