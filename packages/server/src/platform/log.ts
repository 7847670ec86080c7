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
    hooks: {
      streamWrite: (line: string) =>
        line.includes('sp_') ? line.replaceAll(secretInText, '(secret)') : line,
    },
  };
  let log: Logger | undefined;
  const tellDropped = (dropped: number) => log?.warn({ dropped }, 'log lines dropped: nobody read them');
  log = pino(
    { ...options, level },
    inTurns(() => neverBlocking(open(), tellDropped)),
  );
  return log;
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
