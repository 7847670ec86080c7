import { type Logger, pino, stdTimeFunctions } from 'pino';
import { secretInText } from './secrets/secret.ts';

/** JSON lines on standard output; credentials never reach them, whatever logs them. */
export function createLog({ LOG_LEVEL }: { LOG_LEVEL: string }): Logger {
  return pino({
    level: LOG_LEVEL,
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    redact: ['req.headers.authorization', 'req.headers.cookie', 'headers.authorization', 'headers.cookie'],
    hooks: {
      streamWrite: (line) => (line.includes('sp_') ? line.replaceAll(secretInText, '(secret)') : line),
    },
  });
}
