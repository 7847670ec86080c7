import { type Service, startService } from '../app.ts';
import { readConfig } from '../config.ts';
import { createLog } from '../platform/log.ts';
import type { Channel } from '../platform/processes/line.ts';
import { joinServer } from '../platform/processes/worker-side.ts';
import { closeService, drainOf } from './close-service.ts';
import { keepCompiledCode } from './compiled-code.ts';
import { endSignals, passOverSignals } from './end-signals.ts';
import { tellFailure } from './failures.ts';
import { greet } from './greet.ts';

/** Runs the service as one process of a server, until its primary tells it to end, or ends itself. */
export async function serveAsWorker(
  role: 'all' | 'serve' | 'work',
  environment: NodeJS.ProcessEnv,
): Promise<void> {
  let service: Service | null = null;
  let isEnding = false;
  const end = (drainSeconds: number) => {
    if (isEnding) return;
    isEnding = true;
    if (service === null) process.exit(0);
    void closeService(service, drainSeconds).then((code) => process.exit(code));
  };
  // A terminal or a service manager signals every process of a group.
  for (const signal of endSignals)
    process.on(signal, () => end(service === null ? 0 : drainOf(signal, service)));
  const { place, together, ready } = await joinServer(channelToPrimary(), end);
  try {
    service = await startService({
      environment,
      role: role === 'all' && !place.runsJobs ? 'serve' : role,
      log: createLog(readConfig(environment), place.number),
      together,
      // Only the first process answers that it waits for the database.
      listensLast: place.number > 1 || place.restarts > 0,
    });
  } catch (error) {
    // Without exit, the channel to the primary would keep this process alive.
    tellFailure(error, environment);
    process.exit(1);
  }
  passOverSignals(service.platform.log);
  await ready();
  keepCompiledCode();
  if (place.number === 1 && place.restarts === 0) await greet(service);
}

function channelToPrimary(): Channel {
  return {
    // A worker ends with its primary, so a failed message needs no handling.
    send: (message) => void process.send?.(message, undefined, undefined, () => {}),
    listen: (hear) => void process.on('message', hear),
  };
}
