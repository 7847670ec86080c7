import type { FastifyBaseLogger } from 'fastify';

type Words = Parameters<FastifyBaseLogger['info']>;
type Child = FastifyBaseLogger['child'];

/**
 * The logger of a request. It is made when something is first logged with it: most requests log only the line
 * of their response, which is written without it, and making a logger costs more than that line.
 */
export class RequestLog {
  readonly #parent: FastifyBaseLogger;
  readonly #of: Parameters<Child>;
  #made: FastifyBaseLogger | null = null;

  constructor(parent: FastifyBaseLogger, ...of: Parameters<Child>) {
    this.#parent = parent;
    this.#of = of;
  }

  get level(): string {
    return this.#own().level;
  }

  trace(...words: Words): void {
    this.#own().trace(...words);
  }
  debug(...words: Words): void {
    this.#own().debug(...words);
  }
  info(...words: Words): void {
    this.#own().info(...words);
  }
  warn(...words: Words): void {
    this.#own().warn(...words);
  }
  error(...words: Words): void {
    this.#own().error(...words);
  }
  fatal(...words: Words): void {
    this.#own().fatal(...words);
  }
  silent(...words: Words): void {
    this.#own().silent(...words);
  }
  child(...of: Parameters<Child>): FastifyBaseLogger {
    return this.#own().child(...of);
  }

  #own(): FastifyBaseLogger {
    this.#made ??= this.#parent.child(...this.#of);
    return this.#made;
  }
}
