import process from 'node:process';

/**
 * npm passes a signal on to the program that it runs. A Ctrl-C reaches that program from the terminal too, so
 * under `npm start` the second signal may be the first one again.
 */
const copies = process.env.npm_lifecycle_event === 'start' ? 2 : 1;

/** Calls `end` at the first SIGTERM or SIGINT, and `endAtOnce` when there is one more. */
export function onEndSignal({
  end,
  endAtOnce,
}: {
  readonly end: (signal: 'SIGTERM' | 'SIGINT') => void;
  readonly endAtOnce: () => void;
}): void {
  let received = 0;
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => {
      received++;
      if (received === 1) end(signal);
      else if (received > copies) endAtOnce();
    });
}
