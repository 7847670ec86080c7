import type { Worker } from 'node:cluster';
import { setTimeout as pause } from 'node:timers/promises';
import type { Hand, HandEnd } from '../platform/processes/crew.ts';
import { lastLinesMs } from './close-service.ts';

/** Returns a worker of a cluster as the crew knows it. */
export function handOf(worker: Worker): Hand {
  const closed = new Promise((resolve) => worker.process.once('close', resolve));
  return {
    id: String(worker.id),
    pid: worker.process.pid,
    channel: {
      // The end of a worker is reported by `ended`.
      send: (message) => void (worker.isConnected() && worker.send(message, () => {})),
      listen: (hear) => void worker.on('message', hear),
    },
    ended: endOf(worker).then(async (end) => {
      // Waits for its last lines, unless a child process of it keeps the pipe open.
      await Promise.race([closed, pause(lastLinesMs, undefined, { ref: false })]);
      return end;
    }),
    kill: () => void worker.process.kill('SIGKILL'),
  };
}

/** Also a worker that the system could not start has ended: it has no exit, but an error and no id. */
function endOf(worker: Worker): Promise<HandEnd> {
  return new Promise((resolve) => {
    worker.once('exit', (code, signal) => resolve({ code, signal }));
    worker.on('error', (error) => {
      if (worker.process.pid === undefined) resolve({ code: null, signal: null, error });
    });
  });
}
