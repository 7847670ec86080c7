import type { Writable } from 'node:stream';
import { type DestinationStream, type Logger, pino } from 'pino';
import { type LineSink, neverBlocking } from './log-stream.ts';
import { secretInText } from './secrets/secret.ts';

/**
 * Logs JSON lines to standard output. Credentials are removed, whoever logs them. With several processes,
 * each line has the number of its process.
 */
export function createLog({ LOG_LEVEL }: { LOG_LEVEL: string }, processNumber?: number): ServiceLog {
  return logInto(() => process.stdout, LOG_LEVEL, processNumber);
}

/** Like `createLog`, into any stream. The stream is opened at the first line. */
export function logInto(open: () => Writable, level: string, processNumber?: number): ServiceLog {
  const options = {
    base: processNumber === undefined ? null : { process: processNumber },
    timestamp: isoTime(),
    redact: ['req.headers.authorization', 'req.headers.cookie', 'headers.authorization', 'headers.cookie'],
    hooks: { streamWrite: withoutSecrets },
  };
  const tellDropped = (dropped: number) => log.warn({ dropped }, 'log lines dropped: nobody read them');
  const stream = inTurns(() => neverBlocking(open(), tellDropped));
  const log = pino({ ...options, level }, stream);
  const process = processNumber === undefined ? '' : `,"process":${processNumber}`;
  const { info = 0 } = pino.levels.values;
  return Object.assign(log, {
    requestLine({ reqId, method, path, status, ms }: RequestLine) {
      if (log.levelVal > info) return;
      const fields = `"reqId":"${reqId}","method":"${method}","path":${JSON.stringify(path)},"status":${status},"ms":${ms}`;
      stream.write(
        withoutSecrets(`{"level":30${options.timestamp()}${process},${fields},"msg":"request"}\n`),
      );
    },
    brokenOff: (line: Omit<RequestLine, 'status'>) => log.info(line, 'request broken off'),
  });
}

/** The log of the service. */
export interface ServiceLog extends Logger {
  /**
   * Writes the line of a request, the same line as `log.info(line, 'request')`. It needs no general
   * serialization, because the fields are known, and takes a third of the time. Every request writes one.
   */
  requestLine(line: RequestLine): void;
  /** Writes the line of a request whose connection has ended before its response was sent. */
  brokenOff(line: Omit<RequestLine, 'status'>): void;
}

/** The log line of an answered request. */
export interface RequestLine {
  /** The id is made by us, and the method is one that Node knows: neither needs escaping. */
  readonly reqId: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** Whole milliseconds. */
  readonly ms: number;
}

function withoutSecrets(line: string): string {
  return line.includes('sp_') ? line.replaceAll(secretInText, '(secret)') : line;
}

/** Resolves once all lines are handed over, or after `withinMs`: for a process that is about to end. */
export async function handedOver(log: Logger, withinMs: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, withinMs);
  log.flush(() => resolve());
  await promise;
  clearTimeout(timer);
}

/**
 * Writes the lines of one turn of the event loop at once: a write for each request would take a third of the
 * time of a small response. A process that ends, also by an uncaught error, writes the rest first.
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

/**
 * Returns a function that gives the field of the time as text. The text is kept for a millisecond, in which a
 * busy service writes dozens of lines.
 */
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
