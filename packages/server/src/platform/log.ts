import type { Writable } from 'node:stream';
import { type DestinationStream, type Logger, pino } from 'pino';
import { type LineSink, neverBlocking } from './log-stream.ts';
import { secretInText } from './secrets/secret.ts';

/**
 * JSON lines on standard output; credentials never reach them, whatever logs them. Each line of one of several processes
 * has its number.
 */
export function createLog({ LOG_LEVEL }: { LOG_LEVEL: string }, processNumber?: number): Logger {
  return logInto(() => process.stdout, LOG_LEVEL, processNumber);
}

/** The same into any stream, which is asked for with the first line. */
export function logInto(open: () => Writable, level: string, processNumber?: number): Logger {
  const options = {
    base: processNumber === undefined ? null : { process: processNumber },
    timestamp: isoTime(),
    redact: ['req.headers.authorization', 'req.headers.cookie', 'headers.authorization', 'headers.cookie'],
    hooks: { streamWrite: withoutSecrets },
  };
  let log: Logger | undefined;
  const tellDropped = (dropped: number) => log?.warn({ dropped }, 'log lines dropped: nobody read them');
  const stream = inTurns(() => neverBlocking(open(), tellDropped));
  log = pino({ ...options, level }, stream);
  const process = processNumber === undefined ? '' : `,"process":${processNumber}`;
  requestLines.set(log, ({ reqId, method, path, status, ms }) => {
    const fields = `"reqId":"${reqId}","method":"${method}","path":${JSON.stringify(path)},"status":${status},"ms":${ms}`;
    stream.write(withoutSecrets(`{"level":30${options.timestamp()}${process},${fields},"msg":"request"}\n`));
  });
  return log;
}

/** What the log says of a request that was answered. */
export interface RequestLine {
  /** Ours, and the method one that Node knows: neither has anything to be escaped. */
  readonly reqId: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** Whole milliseconds. */
  readonly ms: number;
}

/** Those of loggers that were made here. */
const requestLines = new WeakMap<Logger, (line: RequestLine) => void>();

/**
 * Writes the line of a request, the same as `log.info(line, 'request')` does: as it is known what is in it, nothing has to be
 * looked for, and it costs a third. Every request has one.
 */
export function requestLogger(log: Logger): (line: RequestLine) => void {
  const write = requestLines.get(log);
  const info = pino.levels.values.info ?? 0;
  return (line) => {
    if (!write) log.info(line, 'request');
    else if (log.levelVal <= info) write(line);
  };
}

function withoutSecrets(line: string): string {
  return line.includes('sp_') ? line.replaceAll(secretInText, '(secret)') : line;
}

/** Resolves once the lines are handed over, or when `withinMs` have passed: for a process that is about to end. */
export async function handedOver(log: Logger, withinMs: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, withinMs);
  log.flush(() => resolve());
  await promise;
  clearTimeout(timer);
}

/**
 * Writes what one turn of the event loop logs in one go: a write for every request is a third of what a small answer
 * costs. A process that ends, also by an error that nobody caught, writes the rest first.
 */
function inTurns(open: () => LineSink): DestinationStream & { flush(done: () => void): void } {
  let lines = '';
  let count = 0;
  let sink: LineSink | undefined;
  const flush = () => {
    const written = lines;
    const writtenCount = count;
    lines = '';
    count = 0;
    if (written !== '') sink?.write(written, writtenCount);
  };
  return {
    write(line) {
      if (!sink) {
        sink = open();
        process.on('exit', flush);
      }
      if (lines === '') setImmediate(flush);
      lines += line;
      count++;
    },
    flush(done) {
      flush();
      if (sink) sink.whenEmpty(done);
      else done();
    },
  };
}

/** The field of the instant, as text: the same for every line of a millisecond, of which a busy one has dozens. */
function isoTime(): () => string {
  let at = 0;
  let field = '';
  return () => {
    const now = Date.now();
    if (now !== at) {
      at = now;
      field = `,"time":"${new Date(now).toISOString()}"`;
    }
    return field;
  };
}
