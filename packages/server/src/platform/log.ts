import { type DestinationStream, destination, type Logger, pino } from 'pino';
import { secretInText } from './secrets/secret.ts';

/** JSON lines on standard output; credentials never reach them, whatever logs them. */
export function createLog({ LOG_LEVEL }: { LOG_LEVEL: string }): Logger {
  return pino(
    {
      level: LOG_LEVEL,
      base: null,
      timestamp: isoTime(),
      redact: ['req.headers.authorization', 'req.headers.cookie', 'headers.authorization', 'headers.cookie'],
      hooks: {
        streamWrite: (line) => (line.includes('sp_') ? line.replaceAll(secretInText, '(secret)') : line),
      },
    },
    inTurns(destination({ dest: 1, sync: true })),
  );
}

/**
 * Writes what one turn of the event loop logs in one go: a write for every request is a third of what a small answer
 * costs. A process that ends, also by an error that nobody caught, writes the rest first.
 */
function inTurns(stream: DestinationStream & { flushSync(): void }): DestinationStream {
  let lines = '';
  const flush = () => {
    const written = lines;
    lines = '';
    if (written !== '') stream.write(written);
  };
  let flushesAtExit = false;
  return {
    write(line) {
      if (!flushesAtExit) process.on('exit', flush);
      flushesAtExit = true;
      if (lines === '') setImmediate(flush);
      lines += line;
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
