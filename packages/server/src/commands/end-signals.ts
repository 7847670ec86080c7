import process from 'node:process';
import type { Logger } from 'pino';

/**
 * The signals that end the service in order. SIGHUP comes from a terminal that closes, also under nohup: Node.js takes
 * the signals back that its parent told it to ignore.
 */
export const endSignals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
export type EndSignal = (typeof endSignals)[number];

/**
 * npm passes a signal on to the program that it runs. A Ctrl-C reaches that program from the terminal too, so
 * under `npm start` the second signal may be the first one again.
 */
const copies = process.env.npm_lifecycle_event === 'start' ? 2 : 1;

/** Calls `end` at the first signal that ends the service, and `endAtOnce` when there is one more. */
export function onEndSignal({
  end,
  endAtOnce,
}: {
  readonly end: (signal: EndSignal) => void;
  readonly endAtOnce: () => void;
}): void {
  let received = 0;
  for (const signal of endSignals)
    process.on(signal, () => {
      received++;
      if (received === 1) end(signal);
      else if (received > copies) endAtOnce();
    });
}

/**
 * Lets the process go on at signals that other servers reopen their logs at. Without a listener SIGUSR2 ends it, and
 * SIGUSR1 opens a debugger, to which every user of the machine can connect.
 */
export function passOverSignals(log: Pick<Logger, 'info'>): void {
  for (const signal of ['SIGUSR1', 'SIGUSR2'] as const)
    process.on(signal, () => log.info({ signal }, 'passed over: the log is on standard output'));
}
